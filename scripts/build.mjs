// Builds the browser program and the server bundle into apps/*/dist. With --if-stale only what is older than its sources.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { runNode } from './child.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'
import { step } from './step.mjs'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const at = (...parts) => path.join(root, ...parts)
const shared = ['packages/contract/src', 'packages/domain/src', 'package-lock.json', 'scripts/build.mjs']
const serverSources = [...shared, 'apps/server/src', 'apps/server/package.json', 'scripts/bundle-server.mjs']
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
  // Tests start one of their own: making it anew takes nothing from a server that runs.
  'server for tests': {
    dist: 'node_modules/.cache/pulse-server/dist',
    sources: serverSources,
    build: async (dist) => {
      cpSync(at('apps/server/package.json'), path.join(dist, '../package.json'))
      return buildServer(dist)
    },
  },
}

export async function build({ ifStale = false, names = ['web', 'server'] } = {}) {
  for (const name of names) {
    const { dist, sources, build: make } = parts[name]
    const stamp = at(dist, '.built')
    if (ifStale && existsSync(stamp) && newest(sources) <= statSync(stamp).mtimeMs) continue
    const startedAt = Date.now()
    const code = await step(`Building ${name}`, () => make(at(dist)))
    if (code !== 0) {
      console.error(`Building ${name} failed; see above.`)
      process.exit(code)
    }
    // What changes while it builds is newer than the stamp.
    writeFileSync(stamp, '')
    utimesSync(stamp, startedAt / 1000, startedAt / 1000)
  }
}

async function buildWeb(dist) {
  const code = await runNode([
    at('node_modules/vite/bin/vite.js'),
    'build',
    at('apps/web'),
    '--logLevel',
    'warn',
  ])
  if (code === 0) await compressAll(dist)
  return code
}

/** Next to each text file its brotli and gzip forms, so that serving one costs nothing. */
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
  cpSync(at('apps/server/src/db/migrations'), path.join(dist, 'migrations'), { recursive: true })
  return code
}

/** When the newest file below these paths was changed, epoch ms. */
function newest(paths) {
  let latest = 0
  for (const name of paths) {
    const file = at(name)
    if (!existsSync(file)) continue
    if (!statSync(file).isDirectory()) {
      latest = Math.max(latest, statSync(file).mtimeMs)
      continue
    }
    for (const entry of readdirSync(file, { recursive: true })) {
      latest = Math.max(latest, statSync(path.join(file, String(entry))).mtimeMs)
    }
  }
  return latest
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  await build({ ifStale: process.argv.includes('--if-stale') })
}
