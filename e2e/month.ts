// node scripts/run.mjs e2e/month.ts: an estate with a month behind it, whose pages can be looked at. All on loopback.
import type { LabControl } from '@pulse/lab'
import { account, startEstate } from './estate.ts'
import type { Past } from './past.ts'

type Part = Past['parts'][number]

const days = 30
const hourMinutes = 60
const dayMinutes = 24 * hourMinutes
/** Before these, Pulse lives for half a minute in each quarter of an hour, which is enough for the coarse tiers. */
const liveHours = Number(process.argv[2] ?? 12)
const quarterMinutes = 15

/** What happens, by hours ago. */
const events: readonly [number, (control: LabControl) => void][] = [
  [29 * 24, (lab) => void lab.patchGuest(103, { status: 'stopped' })],
  [26 * 24, (lab) => void lab.patchGuest(103, { status: 'running' })],
  [20 * 24, (lab) => void lab.migrateGuest(104, 'pve2')],
  [15 * 24, (lab) => void lab.patchGuest(102, { name: 'renamed-web' })],
  [12 * 24, (lab) => void lab.addFault({ kind: 'reset' })],
  [11 * 24, (lab) => void lab.clearFaults()],
  [8 * 24, (lab) => void lab.createGuest({ vmid: 900, node: 'pve1', name: 'newcomer', status: 'running' })],
  [5 * 24, (lab) => void lab.patchGuest(105, { tags: 'production;web' })],
  [3 * 24, (lab) => void lab.deleteGuest(106)],
  [30, (lab) => void lab.patchGuest(107, { maxMem: 16 * 2 ** 30 })],
  [9, (lab) => void lab.patchGuest(101, { status: 'running', cpu: 0.97 })],
  [8.5, (lab) => void lab.patchGuest(101, { cpu: null })],
  [6, (lab) => void lab.migrateGuest(104, 'pve3')],
  [4, (lab) => void lab.patchGuest(103, { uptime: 1 })],
]
/** Pulse is off. */
const offHours = [17 * 24, 16 * 24] as const

/** Each part begins where something happens, or at the next quarter of an hour. */
function parts(): Part[] {
  const found: Part[] = []
  for (let minutesAgo = days * dayMinutes; minutesAgo > 0; minutesAgo -= quarterMinutes) {
    const hoursAgo = minutesAgo / hourMinutes
    if (hoursAgo <= offHours[0] && hoursAgo > offHours[1]) continue
    const own = events.filter(([ago]) => ago <= hoursAgo && ago > hoursAgo - quarterMinutes / hourMinutes)
    found.push({
      minutesAgo,
      minutes: hoursAgo > liveHours ? 0.5 : quarterMinutes,
      happen(lab) {
        const lived = 1 - minutesAgo / (days * dayMinutes)
        // one that will be full, and one that does not grow
        lab.patchStorage('local', { node: 'pve1', used: Math.round(4e10 + 4e10 * lived) })
        lab.patchStorage('local', { node: 'pve2', used: 3e10 })
        for (const vmid of [101, 102])
          lab.patchGuest(vmid, { maxDisk: 6e10, diskUsed: Math.round(2e10 + 3e10 * lived) })
        for (const [, happen] of own) happen(lab)
      },
    })
  }
  return found
}

const estate = await startEstate({
  everySwitch: true,
  lab: { nodes: 3, guests: 18, pbs: 1, pmg: 1, ceph: true, loadPeriodMs: 10_000 },
  past: { activate: true, parts: parts() },
})
console.log(`A month has passed: ${estate.url}`)
console.log(`Sign in as ${account.username}, password "${account.password}"`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void estate.close().then(() => process.exit(0)))
