// One file for the server and one for its database thread: stripping types from 300 files costs start time and memory.
import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './pinned-node.mjs'

const bundle = await rolldown({
  cwd: root,
  input: {
    main: path.join(root, 'apps/server/src/main.ts'),
    'db-worker': path.join(root, 'apps/server/src/db/worker.ts'),
  },
  platform: 'node',
  treeshake: true,
})
await bundle.write({
  dir: path.join(root, 'apps/server/dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // Names stay readable in stack traces; white space and comments only cost memory.
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
})
await bundle.close()
