// npm run dev: the lab, the server from its sources, and the browser program with hot reload, on http://localhost:5173.
import path from 'node:path'
import { ended, passSignals, runNode, startNode } from './child.mjs'
import { connectAgents, connectEstate, everySwitch, newToken, startLab } from './estate.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'

await ensureInstalled()
await runNode([path.join(root, 'scripts/registries.mjs')])
const { child: labProcess, lab } = await startLab([
  '--nodes',
  '3',
  '--guests',
  '75',
  '--seed',
  '1',
  '--pbs',
  '1',
  '--pmg',
  '1',
  '--ceph',
  '--docker',
  '2',
])
const token = newToken()
const { PULSE_AUTH_USER = 'admin', PULSE_AUTH_PASS = 'pulse-dev' } = process.env
const server = startNode(['--watch', path.join(root, 'apps/server/src/main.ts')], {
  env: {
    PULSE_DEV: 'true',
    PULSE_DATA_DIR: path.join(root, 'data', 'dev'),
    PULSE_LISTEN_ADDRESS: '127.0.0.1',
    PULSE_AUTH_USER,
    PULSE_AUTH_PASS,
    API_TOKENS: token,
    LOG_LEVEL: 'debug',
  },
})
const vite = startNode([path.join(root, 'node_modules/vite/bin/vite.js'), path.join(root, 'apps/web')])
passSignals(server, vite, labProcess)

const url = `http://127.0.0.1:${process.env.FRONTEND_PORT ?? process.env.PORT ?? 7655}`
await untilAnswers(`${url}/api/health`)
await connectEstate(url, lab, token, everySwitch)
await connectAgents(url, lab, token)
console.log(
  `Sign in as ${PULSE_AUTH_USER}${process.env.PULSE_AUTH_PASS ? '' : `, password ${PULSE_AUTH_PASS}`}`,
)
console.log(`Lab control: ${lab.controlUrl}`)
await ended(vite)
for (const child of [server, labProcess]) child.kill('SIGTERM')

async function untilAnswers(address) {
  const deadline = Date.now() + 20_000
  for (;;) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > deadline || server.exitCode !== null) throw new Error('the server does not answer')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
