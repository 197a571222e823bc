const fs = require('fs')

module.exports = View

function View (name) {
  this.path = name
}

View.prototype.resolve = function resolve (file) {
  const stat = tryStat(file)
  return stat && stat.isFile() ? file : undefined
}

function tryStat (path) {
  try {
    return fs.statSync(path)
  } catch (e) {
    return undefined
  }
}
