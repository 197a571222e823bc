module.exports = {
  semi: false,
  plugins: ['prettier-plugin-tailwindcss'],
};
