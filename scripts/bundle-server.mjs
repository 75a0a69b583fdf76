// A file for the server, one for its database thread, and one for what is loaded when it is needed first: stripping
// types from 300 files costs start time and memory.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './pinned-node.mjs'

const dist = path.join(root, 'apps/server/dist')

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
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  // Names stay readable in stack traces; white space and comments only cost memory.
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
})
await bundle.close()
// One character beyond ASCII doubles what a whole file takes in memory. Code was escaped, names in licences are not.
for (const name of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
  const file = path.join(dist, name)
  const text = readFileSync(file, 'utf8')
  const plain = text.replace(/\P{ASCII}/gu, (character) => character.normalize('NFD').charAt(0))
  if (/\P{ASCII}/u.test(plain)) throw new Error(`${name} is not plain ASCII`)
  if (plain !== text) writeFileSync(file, plain)
}
