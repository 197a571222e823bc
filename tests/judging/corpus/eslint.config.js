export default [
  {
    files: ["web/**/*.js"],
    rules: { "no-unused-vars": "error" },
  },
];
