import unicorn from "eslint-plugin-unicorn";

export default [
  {
    files: ["web/**/*.js"],
    plugins: { unicorn },
    rules: { "no-unused-vars": "error" },
  },
];
