// npm run bench: measures lab, server and browser in separate processes. See docs/benchmarks.md.
import path from 'node:path'
import { build } from './build.mjs'
import { runNode } from './child.mjs'
import { ensureBrowser } from './chromium.mjs'
import { ensureNats, ensurePostgres } from './install-test-packages.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'

await ensureInstalled()
const CHROMIUM = ensureBrowser()
if (process.argv.includes('--cluster')) {
  ensurePostgres()
  ensureNats()
}
await build({ ifStale: true })
process.exit(
  await runNode([path.join(root, 'bench/main.ts'), ...process.argv.slice(2)], { env: { CHROMIUM } }),
)
