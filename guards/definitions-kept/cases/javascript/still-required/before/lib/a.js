exports.one = function () { return 1 }
exports.two = function () { return 2 }
