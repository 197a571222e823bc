module.exports = { extends: ['airbnb', 'plugin:@typescript-eslint/recommended', './base'], plugins: ['import', '@typescript-eslint'] };
