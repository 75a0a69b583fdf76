import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { bareContract } from './bare-contract.ts'
import { firstPageChunks, isOfFirstPage } from './first-page.ts'

const serverUrl = process.env.PULSE_DEV_SERVER ?? 'http://127.0.0.1:7655'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), bareContract(), preloadFirst(), compiledAtOnce()],
  server: {
    host: '127.0.0.1',
    proxy: {
      // the Host header stays: the server compares it with the origin of the page
      '/api': { target: serverUrl, changeOrigin: false },
      '/ws': { target: serverUrl, ws: true, changeOrigin: false },
    },
  },
  // Whatever the program loads it finds beside itself; only the document says where that is, and the server may move it.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 450,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: firstPageChunks() } },
  },
})

/** A file and all that it imports, however far away. */
function withImports(bundle: Rolldown.OutputBundle, first: string): string[] {
  const found = new Set([first])
  for (const name of found) {
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') for (const one of chunk.imports) found.add(one)
  }
  return [...found]
}

const overview = /features\/overview\/page\.tsx$/

/**
 * The font of every page, and the code of the page that most visits begin with, start loading with the document: not
 * after its style sheet, and not after the program that asks for them.
 */
function preloadFirst(): Plugin {
  return {
    name: 'preload-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) throw new Error('the Latin font file is not in the bundle')
        const page = Object.values(bundle).find(
          (chunk) => chunk.type === 'chunk' && overview.test(chunk.facadeModuleId ?? ''),
        )
        if (page?.type !== 'chunk') throw new Error('the Overview is no chunk of its own')
        const code = withImports(bundle, page.fileName).filter((name) => !html.includes(name))
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [
          { tag: 'link', attrs, injectTo: 'head' },
          ...code.map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: '', href: `/${name}` },
            injectTo: 'head' as const,
          })),
        ]
      },
    },
  }
}

/**
 * Chromium compiles all of a file that begins so while it comes in, beside the main thread; otherwise each function waits
 * there until it is called first, and the first page calls most of its own.
 */
function compiledAtOnce(): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    generateBundle: {
      // after plugins that write a line above all others
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && isOfFirstPage(chunk))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}
