// Bundles the server into files for itself, its database thread, the health check, the switch to a new
// release, and modules that are loaded on demand. Stripping types from 300 files at the start would cost time
// and memory. The argument is the output folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './pinned-node.mjs'

const dist = process.argv[2]

/** Fastify loads these only for a route with its own schema, or to answer an injected request. */
const neverAsked = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']
const leaveOut = {
  name: 'leave-out',
  resolveId: (name) => (neverAsked.includes(name) ? `\0${name}` : null),
  load: (id) =>
    id.startsWith('\0') && neverAsked.includes(id.slice(1))
      ? `throw new Error('${id.slice(1)} is not part of the bundle')`
      : null,
}

const output = {
  dir: dist,
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  // names stay readable in stack traces; white space and comments only cost memory
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
}

async function write(input, format) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    treeshake: true,
    plugins: [leaveOut],
    // its paths are about types
    tsconfig: false,
  })
  await bundle.write({ ...output, ...format })
  await bundle.close()
}

const from = (name) => path.join(root, 'apps/server/src', name)
await write(
  { main: from('main.ts') },
  { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
)
// a thread would have to load the ES module loader; the CommonJS loader is always present
for (const [name, file] of [
  ['db-worker', 'db/worker.ts'],
  ['history-worker', 'db/history/worker.ts'],
])
  await write({ [name]: from(file) }, { format: 'cjs', entryFileNames: '[name].cjs' })
for (const name of ['health', 'switch']) {
  await write({ [name]: from(`${name}.ts`) }, { format: 'cjs', entryFileNames: '[name].cjs' })
}
// A single non-ASCII character doubles the memory of a whole file. The bundler escapes code; names in
// licences lose their accents here.
for (const name of readdirSync(dist).filter((name) => /\.c?js$/.test(name))) {
  const file = path.join(dist, name)
  const text = readFileSync(file, 'utf8')
  const plain = text.replace(/\P{ASCII}/gu, (character) => character.normalize('NFD').charAt(0))
  if (/\P{ASCII}/u.test(plain)) throw new Error(`${name} is not plain ASCII`)
  if (plain !== text) writeFileSync(file, plain)
}
