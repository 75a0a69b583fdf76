// Builds the browser program, the server and the agent into apps/*/dist. --if-stale builds only parts whose sources have
// changed; --all-platforms builds the agent for other processors too.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { runNode, step } from './child.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const at = (...parts) => path.join(root, ...parts)
const shared = ['packages/contract/src', 'packages/domain/src', 'package-lock.json', 'scripts/build.mjs']
const serverSources = [
  ...shared,
  'apps/server/src',
  'apps/server/package.json',
  'docs/api-errors.md',
  'scripts/bundle-server.mjs',
]
const parts = {
  web: {
    dist: 'apps/web/dist',
    sources: [
      ...shared,
      'apps/web/src',
      'apps/web/public',
      'apps/web/index.html',
      'apps/web/vite.config.ts',
      'apps/web/bare-contract.ts',
      'apps/web/first-page.ts',
    ],
    build: buildWeb,
  },
  server: { dist: 'apps/server/dist', sources: serverSources, build: buildServer },
  agent: {
    dist: 'apps/agent/dist',
    sources: [
      ...shared,
      'apps/agent/src',
      'apps/agent/package.json',
      'scripts/bundle-agent.mjs',
      'scripts/node-program.mjs',
    ],
    build: buildAgent,
  },
  // Tests start their own build, so that a rebuild does not disturb a running server.
  'server for tests': {
    dist: 'node_modules/.cache/pulse-server/dist',
    sources: serverSources,
    build: async (dist) => {
      cpSync(at('apps/server/package.json'), path.join(dist, '../package.json'))
      return buildServer(dist)
    },
  },
}

export async function build({
  ifStale = false,
  names = ['web', 'server', 'agent'],
  fail = (code) => process.exit(code),
} = {}) {
  for (const name of names) {
    const { dist, build: make } = parts[name]
    const stamp = at(dist, '.built')
    // read before the build, which may miss later changes
    const sources = stampOf(name)
    if (ifStale && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) continue
    const code = await step(`Building ${name}`, () => make(at(dist)))
    if (code !== 0) {
      console.error(`Building ${name} failed; see above.`)
      return fail(code)
    }
    writeFileSync(stamp, sources)
  }
}

/**
 * Hashes names, sizes and times of the sources, so that replacing a file by an older one counts as a change.
 */
export function stampOf(name, checkout = root) {
  const hash = createHash('sha256')
  for (const source of parts[name].sources) {
    const file = path.join(checkout, source)
    if (!existsSync(file)) continue
    const below = statSync(file).isDirectory() ? readdirSync(file, { recursive: true }) : ['']
    for (const entry of below.map(String).toSorted()) {
      const stats = statSync(path.join(file, entry))
      if (stats.isFile()) hash.update(`${source}/${entry} ${stats.size} ${stats.mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

async function buildWeb(dist) {
  const args = ['build', at('apps/web'), '--logLevel', 'warn']
  // any other value gives a development build that contains paths of this machine
  const code = await runNode([at('node_modules/vite/bin/vite.js'), ...args], {
    env: { NODE_ENV: 'production' },
  })
  if (code === 0) await compressAll(dist)
  return code
}

/** Writes a brotli and a gzip form next to each text file, so that the server need not compress them. */
async function compressAll(folder) {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 }
  const files = readdirSync(folder, { recursive: true })
    .map((entry) => path.join(folder, String(entry)))
    .filter((file) => /\.(js|css|html|svg|json|webmanifest)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, await brotli(bytes, { params }))
      writeFileSync(`${file}.gz`, await gzip(bytes, { level: 9 }))
    }),
  )
}

async function buildServer(dist) {
  rmSync(dist, { recursive: true, force: true })
  const code = await runNode([at('scripts/bundle-server.mjs'), dist])
  if (code !== 0) return code
  cpSync(at('apps/server/src/db/migrations'), path.join(dist, 'migrations'), { recursive: true })
  return runNode([at('apps/server/src/reference/write.ts'), path.join(dist, 'openapi.json')])
}

async function buildAgent(dist) {
  rmSync(dist, { recursive: true, force: true })
  const all = process.argv.includes('--all-platforms') ? ['--all'] : []
  return runNode([at('scripts/bundle-agent.mjs'), dist, ...all])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  await build({ ifStale: process.argv.includes('--if-stale') })
}
