import { defineConfig } from 'vite'
import vue from '@vitejs/plugin-vue'
import path from 'node:path'
import own from './own.js'

export default defineConfig({ plugins: [vue(), own()] })
