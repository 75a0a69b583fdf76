import { connectEstate } from '../scripts/estate.mjs'
import { ownProduct } from './arguments.ts'
import { deltaClient, readerOf } from './clients.ts'
import { hasGuests } from './cluster.ts'
import { type Role, startRoles } from './cluster-processes.ts'
import { watchRoles, withBlocks } from './cluster-watch.ts'
import { ended, pause, signIn, startLabFor, token } from './estate.ts'
import { demandMeasured } from './figures.ts'
import { callsSince, forgetCalls } from './lab-calls.ts'
import type { LargeFigures } from './large-report.ts'
import { watchMachine } from './machine.ts'
import type { Scenario } from './scenarios.ts'

const roles: readonly Role[] = ['judge', 'serve', 'collect', 'collect', 'collect', 'collect', 'collect']
const guestsPerCluster = 250
const nodesPerCluster = 3
const INTERVAL_S = 60
/** of which the last one is for event loops, and the others for CPU */
const MINUTES = 4
/** Two intervals after the estate is complete: what is asked once has been asked. */
const SETTLE_MS = 2 * INTERVAL_S * 1000
/** A poll may fall outside the measured minutes at each end. */
const leastPolls = 0.6

/** A small estate first, then one of five times its size, each with five processes that collect. */
export async function measureLarge(guests: number): Promise<LargeFigures[]> {
  const all: LargeFigures[] = []
  for (const size of [guests / 5, guests]) all.push(await measureOne(Math.round(size)))
  return all
}

async function measureOne(guests: number): Promise<LargeFigures> {
  const clusters = Math.max(1, Math.round(guests / guestsPerCluster))
  const scenario: Scenario = {
    name: `${guests.toLocaleString('en')} guests on ${clusters} clusters`,
    guests,
    clusters,
    nodes: clusters * nodesPerCluster,
    standalone: false,
    browser: false,
  }
  console.log(`${scenario.name}, every ${INTERVAL_S} s, with five processes that collect …`)
  const seconds = String(INTERVAL_S)
  const { child: lab, lab: about } = await startLabFor(scenario)
  const ends = [() => ended(lab)]
  try {
    const started = await startRoles({
      roles,
      env: {
        ADAPTIVE_POLLING_ENABLED: 'true',
        ADAPTIVE_POLLING_BASE_INTERVAL: seconds,
        ADAPTIVE_POLLING_MIN_INTERVAL: seconds,
        ADAPTIVE_POLLING_MAX_INTERVAL: seconds,
      },
    })
    ends.push(started.stop)
    const { url } = started.processes('serve')[0]!
    await signIn(url)
    const from = performance.now()
    await connectEstate(url, about, token)
    await hasGuests(url, guests)
    const completeMs = performance.now() - from
    await pause(SETTLE_MS)

    const client = await deltaClient(url, await readerOf(ownProduct))
    await pause(5_000)
    client.reset()
    await forgetCalls(about.controlUrl)
    const pids = [process.pid, lab.pid!, started.natsPid, started.postgresPid]
    const machine = watchMachine([...pids, ...started.processes().map(({ pid }) => pid)])
    const watched = await watchRoles(started)
    await pause((MINUTES - 1) * 60_000)
    const spent = await watched.spent()
    await pause(60_000)
    const { longestBlockMs, sentBytes } = await watched.end()
    const busy = machine.end()
    const calls = await callsSince(about.controlUrl)
    client.close()
    const polls = client.delaysMs.length
    const wanted = (clusters * MINUTES * 60) / INTERVAL_S
    if (polls < leastPolls * wanted)
      throw new Error(`not measured: ${polls} answers of sources instead of ${wanted}`)
    return demandMeasured({
      scenario: scenario.name,
      guests,
      sources: clusters,
      completeMs,
      answersPerSourceAndMinute: polls / clusters / MINUTES,
      callsOfBusiestSourcePerMinute: calls.busiestSource / MINUTES,
      cpuPercent: spent.cpuPercent,
      roles: withBlocks(spent.roles, longestBlockMs),
      engines: spent.engines,
      natsBytesPerMinute: sentBytes.collect / MINUTES,
      clientBytesPerMinute: client.patchBytes / MINUTES,
      machine: busy,
    })
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
