import { defineConfig } from 'vite';
import { h } from 'vue';
export default defineConfig({ h });
