// A first visit without a browser: sets up an account with the one-time token, starts a simulated cluster in
// this network, makes Pulse watch the cluster, and prints the resulting records.
import { setTimeout as pause } from 'node:timers/promises'
import { connectEstate, newToken, startLab } from '../../scripts/estate.mjs'

const [url] = process.argv.slice(2)
const apiToken = newToken()
const { child, lab } = await startLab(['--nodes', '3', '--guests', '20', '--seed', '1'])
try {
  const account = { username: 'owner', password: newToken(), apiToken, setupToken: process.env.SETUP_TOKEN }
  const body = JSON.stringify(account)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/security/quick-setup`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`setting up: ${await answer.text()}`)
  await connectEstate(url, lab, apiToken)
  for (;;) {
    const state = await fetch(`${url}/api/state`, { headers: { 'X-API-Token': apiToken } })
    const { nodes, vms, containers } = await state.json()
    if (nodes.length === 3 && vms.length > 0 && containers.length > 0) {
      console.log('3 nodes and their guests')
      break
    }
    await pause(100)
  }
} finally {
  child.kill()
}
