module.exports = { preset: 'gone', verbose: true };
