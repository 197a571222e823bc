module.exports = { preset: 'gone' };
