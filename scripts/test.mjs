// npm test: installs and builds everything that the tests need, then runs them all. --long runs them at full
// size, then those of the stores on PostgreSQL and those of calls on several servers. --unit skips the browser tests. --postgres keeps the data of all test servers in PostgreSQL; with --cluster, one
// server of each leads and another one answers, with --cluster=2 two others in turn. Further arguments go to vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
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
ensureDebianPackage('docker-compose', '/usr/bin/docker-compose')
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
const unit = ['--project', '!browser']
const given = args.filter((arg) => !own.includes(arg))
const first = { env, args: [...vitest, ...(has('--unit') ? unit : []), ...given] }
const inServer = (names) => [...unit, ...names.map((name) => `apps/server/src/${name}`)]
/** The tests that start a server: its calls, state, sockets, sign-in and alerts, whichever server answers. */
const answered = ['alerts/', 'declared/', 'http/', 'live/', 'metrics/'].concat(
  [
    'agents/agent-update',
    'agents/install/busy',
    'agents/real-agent',
    'agents/server',
    'area',
    'commands/config',
    'commands/health',
    'connections/changed-connection-server',
    'connections/untrusted',
    'docker/hostile-reports',
    'docker/report-flood',
    'notify/notified',
    'notify/server',
    'reference/examples',
    'reference/reference',
    'row-cache',
    'self/report',
    'start/odd-folders',
    'start/recover',
    'start/stopped',
    'start/unreadable-settings',
    'temperature/fixed-switches',
    'transfer/initial',
    'transfer/passphrase',
  ].map((name) => `${name}.`),
)
const further = [
  {
    env: { PULSE_TEST_DATABASE: 'postgres' },
    args: [...vitest, ...inServer(['db/', 'auth/', 'alerts/', 'notify/', 'transfer/'])],
  },
  {
    env: { PULSE_TEST_DATABASE: 'postgres', PULSE_TEST_CLUSTER: '2' },
    args: [...vitest, ...inServer(answered)],
  },
]
const isLong = has('--long') && given.length === 0 && env.PULSE_TEST_DATABASE === undefined
process.exit(isLong ? await runAll([first, ...further]) : await runNode(first.args, { env }))

/** Runs one after the other, whatever fails. The last line counts the tests of all. */
async function runAll(runs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pulse-tests-'))
  const total = { passed: 0, failed: 0, skipped: 0 }
  try {
    for (const [n, run] of runs.entries()) {
      const file = path.join(folder, String(n))
      const code = await runNode(run.args, { env: { ...run.env, PULSE_TEST_COUNTS: file } })
      const count = countIn(file)
      for (const what of Object.keys(total)) total[what] += count[what]
      if (code !== 0 && count.failed === 0) total.failed++
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed > 0 ? 1 : 0
}

/** Without a file, the run has crashed. */
function countIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
