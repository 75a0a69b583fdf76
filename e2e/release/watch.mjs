// Plays a cluster in this network, lets the Pulse at the address watch it, and says how many guests it sees.
import { setTimeout as pause } from 'node:timers/promises'
import { connectEstate, startLab } from '../../scripts/estate.mjs'

const [url] = process.argv.slice(2)
const token = process.env.PULSE_TOKEN
const { child, lab } = await startLab(['--nodes', '3', '--guests', '20', '--seed', '1'])
try {
  await connectEstate(url, lab, token)
  for (;;) {
    const answer = await fetch(`${url}/api/state`, { headers: { 'X-API-Token': token } })
    const { vms, containers } = await answer.json()
    if (vms.length + containers.length >= 20) {
      console.log(`${vms.length + containers.length} guests`)
      break
    }
    await pause(100)
  }
} finally {
  child.kill()
}
