import { answerToPixelP95Ms } from './browser.ts'
import { deltaClient, readerOf } from './clients.ts'
import { type Role, type RoleProcess, type Roles, startRoles } from './cluster-processes.ts'
import type { ClusterFigures } from './cluster-figures.ts'
import { watchRoles, withBlocks } from './cluster-watch.ts'
import { connectEstate } from '../scripts/estate.mjs'
import { ownProduct } from './arguments.ts'
import { type Estate, pause, signIn, startEstate, token } from './estate.ts'
import { demandMeasured, percentile } from './figures.ts'
import { watchMachine } from './machine.ts'
import { connectedAt } from './nats-monitor.ts'
import { watchProcess } from './process.ts'
import { clustersOf } from './scenarios.ts'
import { countRecords } from './slice-client.ts'

const roles: readonly Role[] = ['judge', 'serve', 'serve', 'collect', 'collect']
const CLIENTS = 5
const CYCLE_MS = 10_000
const CYCLES = 6
/** What is seen for the first time, such as snapshots and disks, has been asked and sent by then. */
const FIRST_LOOKS_MS = 75_000
const completeWithinMs = 600_000
const askAgainMs = 1_000

/** One process against five with roles of their own, which poll the same simulated estate at the same time. */
export async function measureCluster(guests: number): Promise<ClusterFigures> {
  const scenario = clustersOf(guests)
  console.log(`${scenario.name}: one process, and ${roles.length} with roles …`)
  const estate = await startEstate(scenario)
  const ends: (() => Promise<void>)[] = [estate.stop]
  try {
    await signIn(estate.url)
    await hasGuests(estate.url, guests)
    await pause(FIRST_LOOKS_MS)
    // each pixel is measured without the other product beside it
    const embeddedToPixelP95Ms = await answerToPixelP95Ms(estate.url)

    const started = await startRoles({ roles })
    ends.push(started.stop)
    const serves = started.processes('serve').map(({ url }) => url)
    await signIn(serves[0]!)
    await connectEstate(serves[0]!, estate.lab, token)
    for (const url of serves) await hasGuests(url, guests)
    await pause(FIRST_LOOKS_MS)

    const { embeddedToMessageMs, toMessageMs, ...measured } = await sideBySide(
      estate,
      started,
      scenario.clusters,
    )
    await estate.stopServer()
    const toPixelP95Ms = await answerToPixelP95Ms(serves[0]!)
    return demandMeasured({
      guests,
      sources: scenario.clusters,
      ...measured,
      latency: {
        embeddedToMessageP95Ms: percentile(embeddedToMessageMs, 0.95),
        toMessageP95Ms: percentile(toMessageMs, 0.95),
        embeddedToPixelP95Ms,
        toPixelP95Ms,
      },
      newServe: await newServe(started),
    })
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** Both products with as many clients: a minute for their CPU, and another one for their event loops. */
async function sideBySide(estate: Estate, started: Roles, sources: number) {
  const embedded = await clientsOf([estate.url])
  const several = await clientsOf(started.processes('serve').map(({ url }) => url))
  const all = [...embedded, ...several]
  // the slice of the backups begins with a snapshot
  await pause(5_000)
  for (const client of all) client.reset()
  const pids = [process.pid, estate.labPid, estate.serverPid, started.natsPid, started.postgresPid]
  const machine = watchMachine([...pids, ...started.processes().map(({ pid }) => pid)])
  estate.still()
  const one = watchProcess(estate.serverPid)
  const watched = await watchRoles(started)
  await pause(CYCLES * CYCLE_MS)
  const { cpuPercent, rssMB } = one.end()
  const many = await watched.spent()
  await estate.loop()
  await pause(CYCLES * CYCLE_MS)
  const { longestBlockMs, sentBytes } = await watched.end()
  const { blocks } = await estate.loop()
  const busy = machine.end()
  for (const client of all) client.close()
  const polls = 2 * CYCLES * sources
  const deltaBytes = several[1]!.patchBytes
  return {
    embedded: { cpuPercent, rssMB, longestBlockMs: Math.max(...blocks) },
    roles: withBlocks(many.roles, longestBlockMs),
    engines: many.engines,
    cpuRatio: many.cpuPercent / cpuPercent,
    wire: {
      natsBytesPerPoll: sentBytes.collect / polls,
      judgeBytesPerPoll: sentBytes.judge / polls,
      deltaBytesPerPoll: deltaBytes / polls,
      ratio: sentBytes.collect / deltaBytes,
    },
    machine: busy,
    embeddedToMessageMs: embedded[0]!.delaysMs,
    toMessageMs: several[0]!.delaysMs,
  }
}

/** By turns at these addresses. The first client decodes; the second one has all slices. */
async function clientsOf(urls: readonly string[]) {
  const made = []
  for (let n = 0; n < CLIENTS; n++)
    made.push(
      await deltaClient(
        urls[n % urls.length]!,
        n === 0 ? await readerOf(ownProduct) : undefined,
        n === 1 ? ['live', 'backups'] : ['live'],
      ),
    )
  return made
}

/** One more process with the role `serve`: from its connection to NATS until it has what the others have. */
async function newServe(started: Roles): Promise<ClusterFigures['newServe']> {
  const [other] = started.processes('serve')
  const from = performance.now()
  const added = await started.start('serve')
  const startMs = performance.now() - from
  const wholeAt = await sameAs(other!, added)
  return { startMs, wholeStateMs: wholeAt - (await connectedAt(started.monitor, 'serve')) }
}

/** ms since 1970 */
async function sameAs(other: RoleProcess, added: RoleProcess): Promise<number> {
  const deadline = performance.now() + completeWithinMs
  while (performance.now() < deadline) {
    const [theirs, own] = await Promise.all([countRecords(other.url), countRecords(added.url)])
    const isWhole = Object.entries(theirs.counts).every(([kind, count]) => own.counts[kind] === count)
    if (isWhole) return performance.timeOrigin + own.at
  }
  throw new Error('not measured: a new process did not get the whole state')
}

/** Templates are part of the estate but not shown. */
export async function hasGuests(url: string, guests: number): Promise<void> {
  const deadline = performance.now() + completeWithinMs
  while (performance.now() < deadline) {
    const { counts } = await countRecords(url)
    if ((counts['guests'] ?? 0) > guests * 0.8) return
    await pause(askAgainMs)
  }
  throw new Error(`${url} did not have the whole estate within ${completeWithinMs / 1_000} s`)
}
