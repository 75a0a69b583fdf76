// npm test: installs and builds everything that the tests need, then runs them all. --long runs them at full
// size. --unit skips the browser tests. --postgres keeps the data of all test servers in PostgreSQL; with --cluster, one
// server of each leads and another one answers, with --cluster=2 two others in turn. Further arguments go to vitest.
import path from 'node:path'
import { build } from './build.mjs'
import { runNode } from './child.mjs'
import { ensureChromium } from './chromium.mjs'
import {
  ensureDebianPackage,
  ensureEngines,
  ensureNats,
  ensurePostgres,
  ensurePromtool,
  ensureProxies,
  ensureSshd,
  ensureVictoriaMetrics,
} from './install-test-packages.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'

const own = ['--long', '--unit', '--postgres', '--cluster', '--cluster=2']
const args = process.argv.slice(2)
const has = (flag) => args.includes(flag)
const answering = has('--cluster=2') ? '2' : has('--cluster') ? '1' : undefined

await ensureInstalled()
ensureDebianPackage('shellcheck', '/usr/bin/shellcheck')
ensureDebianPackage('apprise', '/usr/bin/apprise')
ensureSshd()
ensurePromtool()
ensurePostgres()
ensureNats()
ensureVictoriaMetrics()
ensureEngines()
const env = { PULSE_TEST_SCALE: has('--long') ? '10' : '1' }
if (has('--postgres') || answering) env.PULSE_TEST_DATABASE = 'postgres'
if (answering) env.PULSE_TEST_CLUSTER = answering
if (!has('--unit')) {
  env.CHROMIUM = ensureChromium()
  ensureProxies()
  await build({ ifStale: true })
}
const vitest = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root]
const projects = has('--unit') ? ['--project', '!browser'] : []
process.exit(await runNode([...vitest, ...projects, ...args.filter((arg) => !own.includes(arg))], { env }))
