import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { bareContract } from './bare-contract.ts'

const serverUrl = process.env.PULSE_DEV_SERVER ?? 'http://127.0.0.1:7655'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), bareContract(), sonnerStylesAsFile(), preloadFont()],
  server: {
    host: '127.0.0.1',
    proxy: {
      // the Host header stays: the server compares it with the origin of the page
      '/api': { target: serverUrl, changeOrigin: false },
      '/ws': { target: serverUrl, ws: true, changeOrigin: false },
    },
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 450,
    modulePreload: { polyfill: false },
  },
})

/** sonner writes a style element when it loads, which a strict style-src forbids: its styles.css is imported instead. */
function sonnerStylesAsFile(): Plugin {
  return {
    name: 'sonner-styles-as-file',
    apply: 'build',
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs$/ },
      handler(code) {
        const call = /^__insertCSS\(".*"\);?$/m
        if (!call.test(code)) throw new Error('sonner inserts its styles in another way now')
        return { code: code.replace(call, ''), map: null }
      },
    },
  }
}

/** The font of every page starts loading with the page, not after its style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) throw new Error('the Latin font file is not in the bundle')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
