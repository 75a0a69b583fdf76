// npm run demo: the product with a simulated estate that is already connected, all on loopback.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { ended, passSignals } from './child.mjs'
import {
  activateAlerts,
  connectAgents,
  connectEstate,
  everySwitch,
  newToken,
  startLab,
  startServer,
} from './estate.mjs'
import { ensureInstalled } from './install.mjs'

const usageText = 'Use: npm run demo -- --nodes 5 --guests 75 --seed 1 --port 7655'
const { values } = readArguments()
if (values.help) {
  console.log(usageText)
  process.exit(0)
}
await ensureInstalled()
await build({ ifStale: true })

const temporary = process.env.PULSE_DATA_DIR ? undefined : mkdtempSync(path.join(os.tmpdir(), 'pulse-demo-'))
/** Some of all possible problems, so that the pages have something to show. */
const troubles = ['failing-disk', 'degraded-pool', 'verification-fails', 'queue-grows']
const port = values.port ?? process.env.FRONTEND_PORT ?? '7655'
const { child: labProcess, lab } = await startLab([
  '--nodes',
  values.nodes,
  '--guests',
  values.guests,
  '--seed',
  values.seed,
  '--pbs',
  '2',
  '--pmg',
  '2',
  '--pmg-cluster',
  '--ceph',
  '--docker',
  '3',
  ...troubles.flatMap((trouble) => ['--play', trouble]),
  '--control',
  String(Number(port) + 1),
])
const token = newToken()
const account = readAccount()
const isReadOnly = /^(true|1|yes|on)$/i.test(process.env.DEMO_MODE ?? '')
let code = 1
let server
try {
  // the setup must happen before the server becomes read-only
  const url = await begin(isReadOnly ? { DEMO_MODE: 'false' } : {})
  await connectEstate(url, lab, token, everySwitch)
  await activateAlerts(url, token)
  await connectAgents(url, lab, token)
  if (isReadOnly) {
    await end(server)
    await begin()
  }
  console.log(`\nOpen ${url}`)
  console.log(
    isReadOnly
      ? 'Visitors are signed in as viewers and cannot change anything (DEMO_MODE)'
      : `Sign in as ${account.user}, ${account.made ? `password ${account.password}` : 'with your password'}`,
  )
  console.log(`Change the estate: ${lab.controlUrl} (see apps/lab/README.md), for example`)
  console.log(`  curl -X POST -H 'X-Lab-Control: 1' ${lab.controlUrl}/reset    # ends its troubles`)
  console.log(`  curl -X PATCH -H 'X-Lab-Control: 1' ${lab.controlUrl}/guests/101 --json '{"cpu": 0.95}'\n`)
  code = await ended(server)
} catch (error) {
  console.error(error.message)
} finally {
  labProcess.kill('SIGTERM')
  if (server?.exitCode === null) await end(server)
  if (temporary) rmSync(temporary, { recursive: true, force: true })
}
process.exit(code)

async function begin(more) {
  const { child, url } = await startServer({
    PULSE_DATA_DIR: process.env.PULSE_DATA_DIR ?? temporary,
    FRONTEND_PORT: port,
    PULSE_LISTEN_ADDRESS: '127.0.0.1',
    PULSE_AUTH_USER: account.user,
    PULSE_AUTH_PASS: account.password,
    API_TOKENS: [token, process.env.API_TOKENS].filter(Boolean).join(','),
    ...more,
  })
  passSignals((server = child))
  return url
}

function end(child) {
  child.kill('SIGTERM')
  return ended(child)
}

/** The account from the environment, or a new one for this run. */
function readAccount() {
  const { PULSE_AUTH_USER: user, PULSE_AUTH_PASS: password } = process.env
  if (user && password) return { user, password, made: false }
  return { user: user || 'admin', password: randomBytes(12).toString('base64url'), made: true }
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        nodes: { type: 'string', default: '5' },
        guests: { type: 'string', default: '75' },
        seed: { type: 'string', default: '1' },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    console.error(`${error.message}\n${usageText}`)
    process.exit(2)
  }
}
