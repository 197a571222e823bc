import markdown from "@eslint/markdown";
import { defineConfig } from "eslint/config";

export default defineConfig([
  { files: ["**/*.md"], plugins: { markdown }, extends: ["markdown/recommended"] },
]);
