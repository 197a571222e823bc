module.exports = { title: "X" }
