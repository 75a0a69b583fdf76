// Imported first, so that it tracks the collections of all modules loaded after it.
import { entriesByFile, heapBytes, newestKeys } from './fixtures-collections.ts'
import { type AlertHistoryEntry, deliveryLimits, type DeliveryLog } from '@pulse/contract'
import { expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { type DayLoad, firstJob, jobOf, liveDay, prepare } from './fixtures-day.ts'
import { type FileFigures, fileFigures } from './fixtures-file.ts'
import { guestChanges, guestPeaks, lostTicks } from './fixtures-history.ts'
import { givenMonth, minuteMs, type Month, secondMs } from './fixtures-month.ts'
import { type Work, workOf } from './fixtures-start-work.ts'

interface Plan extends DayLoad {
  guests: number
  nodes: number
  dockerHosts: number
  days: number
}
const short: Plan = {
  guests: 24,
  nodes: 3,
  dockerHosts: 2,
  days: 4,
  churn: 2,
  workMs: 40 * secondMs,
}
/** `npm run test:long` */
const whole: Plan = {
  guests: 200,
  nodes: 5,
  dockerHosts: 4,
  days: 30,
  churn: 6,
  workMs: minuteMs,
}
const plan = scale > 1 ? whole : short

/** Time until collected messages are sent and every list is read. */
const quietMs = 6 * minuteMs
const aFifthMore = 1.2
/** Tolerance for small numbers: one more entry can be more than a fifth. An empty table has one page. */
const noise = { entries: 5, rows: 20, pages: 5 * 4096 }

const troubleTypes = [
  'backup-failed',
  'connectivity',
  'cpu',
  'disk',
  'docker-container-health',
  'docker-host-offline',
  'memory',
  'offline',
  'usage',
]

/** Collections that grow slowly by design, and their limits. */
const bounded: Readonly<Record<string, number>> = {
  // Texts shared by snapshots, per backup server.
  'apps/server/src/collectors/pbs/read-snapshot.ts': 2 * 20_000,
  // A hundred runs per node, and the last backup of each guest.
  'packages/domain/src/derive/backup-attempts.ts': 300 * plan.nodes + 4 * plan.guests,
  // Files on the storages: files of deleted guests remain.
  'apps/server/src/collectors/pve/backup-cache.ts': 20 * plan.guests + 8 * plan.churn * plan.days,
  // Open connections, each counted twice, and connections being opened.
  'apps/server/src/collectors/pinned-agent.ts': 24 * (plan.nodes + 3),
  // Calls on their way: eight per node.
  'apps/server/src/collectors/pve/failover.ts': 8 * plan.nodes,
  // Pending probes of guests: three each.
  'apps/server/src/collectors/pve/guest-facts.ts': 3 * plan.guests,
  // Wire rules of fields: compiled once per kind, at the first patch that reaches a browser.
  'packages/domain/src/wire/rules.ts': 150,
  // Messages of the last hour: five channels, three kinds of message, a cluster, its nodes and three other sources.
  'packages/domain/src/notify/source-limit.ts': 5 * 3 * (plan.nodes + 4),
}

interface Standing {
  entries: ReadonlyMap<string, number>
  inAll: number
  heap: number
}

/** Figures in the evening, when everything works and no message is being sent. */
async function standing(month: Month): Promise<Standing> {
  await month.work(quietMs)
  month.server.logLines.length = 0 // the test's own lines
  // Read between two polls, because `work` has ended; polling continues during the call.
  const entries = entriesByFile()
  const heap = heapBytes()
  const { queue } = (await month.call('GET', '/api/notifications/deliveries?limit=1')) as DeliveryLog
  if (queue.waiting > 0) return standing(month)
  return { entries, inAll: [...entries.values()].reduce((sum, one) => sum + one, 0), heap }
}

const grownIn = (before: Standing, after: Standing) =>
  [...after.entries].flatMap(([file, count]) => {
    const first = before.entries.get(file) ?? 0
    if (count <= Math.max(bounded[file] ?? 0, aFifthMore * first + noise.entries)) return []
    return [{ file, before: first, after: count, newest: newestKeys(file) }]
  })

interface Start extends Work {
  file: FileFigures
}

/** Restarts Pulse; returns the sizes of its file and the reads of the start. */
async function restart({ server }: Month): Promise<Start> {
  let file: FileFigures | undefined
  const work = await workOf(() =>
    server.pausedFor(async () => {
      file = fileFigures(server.dataDir)
    }),
  )
  return { ...work, file: file! }
}

/** How long changes are kept. */
const loggedDays = 14

/** The history after the month: every day of each guest, the load of its bad days, and every guest that came and went. */
async function expectHistory(month: Month, lost: number) {
  expect(lost + (await lostTicks(month))).toBe(0)
  const { vmid: steady } = month.lab.control
    .guests()
    .find(({ vmid, template }) => vmid < firstJob && !template)!
  const days = Array.from({ length: plan.days }, (_, n) => n + 1)
  expect([...(await guestPeaks(month, steady)).keys()]).toEqual(days)
  for (const [day, vmids] of month.troubled)
    for (const vmid of vmids) {
      const peak = (await guestPeaks(month, vmid)).get(day)!
      expect([day, vmid, Math.round(peak * 100)]).toEqual([day, vmid, 97])
    }
  const changes = await guestChanges(month)
  const wordsOf = (vmid: number) =>
    changes.filter((one) => one.vmid === vmid && ['came', 'went'].includes(one.what)).map(({ what }) => what)
  for (const day of days.slice(-loggedDays + 1))
    for (let n = 0; n < plan.churn; n++)
      expect([day, n, wordsOf(jobOf(day + 1, n))]).toEqual([
        day,
        n,
        day + 2 <= plan.days ? ['came', 'went'] : ['came'],
      ])
}

const notifiedTypes = async ({ call }: Month) => {
  const history = (await call('GET', '/api/alerts/history?limit=0')) as AlertHistoryEntry[]
  return [...new Set(history.map(({ type }) => type))].toSorted()
}

const shown = (start: Start, { inAll, heap }: Standing) =>
  `the start reads ${start.rows} rows, ${start.bytes} bytes, in ${start.questions} questions; ${inAll} entries in memory, ${Math.round(heap / 1e6)} MB heap; ${start.file.bytes} bytes in the file, ${start.file.keptBytes} kept on purpose, ${start.file.freeBytes} free`

test(`[R18] ${plan.days} days with ${plan.guests} guests, five destinations and a failing network: start, memory and file do not grow`, async (context) => {
  const month = await givenMonth(context, plan)
  prepare(month, plan)
  await liveDay(month, 1, plan)
  const firstStart = await restart(month)
  // The same process runs to the end, because a restart would hide growth.
  await liveDay(month, 2, plan)
  const first = await standing(month)
  const taken = new Map<string, number>()
  for (let day = 3; day <= plan.days; day++) {
    await liveDay(month, day, plan)
    for (const [name, count] of Object.entries(month.sinks.taken()))
      taken.set(name, (taken.get(name) ?? 0) + count)
  }
  const last = await standing(month)
  const grown = grownIn(first, last)
  const lost = await lostTicks(month)
  const lastStart = await restart(month)
  console.log(`first: ${shown(firstStart, first)}\nlast: ${shown(lastStart, last)}`)

  await expectHistory(month, lost)

  // Every channel was used, for every kind of problem.
  expect([...taken.keys()].toSorted()).toEqual(['apprise', 'generic', 'mail', 'ntfy', 'slack'])
  expect([...taken.values()].filter((count) => count < plan.days)).toEqual([])
  expect(await notifiedTypes(month)).toEqual(expect.arrayContaining(troubleTypes))

  expect(grown).toEqual([])
  expect(last.inAll).toBeLessThanOrEqual(aFifthMore * first.inAll)
  expect(last.heap).toBeLessThanOrEqual(aFifthMore * first.heap)
  expect(lastStart.questions).toBeLessThanOrEqual(aFifthMore * firstStart.questions)
  expect(lastStart.rows).toBeLessThanOrEqual(aFifthMore * firstStart.rows + noise.rows)
  expect(lastStart.bytes).toBeLessThanOrEqual(aFifthMore * firstStart.bytes + noise.pages)
  expect(lastStart.file.bytes).toBeLessThanOrEqual(aFifthMore * firstStart.file.bytes + noise.pages)
  // Tables with a limit reuse the pages of deleted rows.
  expect(lastStart.file.rowsIn['deliveries']).toBeLessThanOrEqual(1.2 * deliveryLimits.kept)
  expect(lastStart.file.freeBytes).toBeLessThanOrEqual(0.2 * lastStart.file.keptBytes + noise.pages)
})
