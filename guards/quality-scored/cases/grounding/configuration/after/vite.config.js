import { defineConfig } from 'vite'
import pwa from 'vite-plugin-pwa'
import legacy from '@vitejs/plugin-legacy'
import icons from 'unplugin-icons/vite'

export default defineConfig({ plugins: [pwa(), legacy(), icons()] })
