module.exports = {
  semi: false,
};
