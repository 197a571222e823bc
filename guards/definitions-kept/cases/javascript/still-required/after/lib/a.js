exports.one = function () { return 1 }
