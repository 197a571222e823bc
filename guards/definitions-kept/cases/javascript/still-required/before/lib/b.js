const a = require('./a')
module.exports = a.two()
