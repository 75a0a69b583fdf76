import type { PerformanceReply } from '@pulse/contract'
import { measureBackupsPage } from './backups-page.ts'
import type { BackupFigures } from './backups-report.ts'
import { readerOf } from './clients.ts'
import { asAdmin, type Estate, pause, signIn, startEstate } from './estate.ts'
import { demandMeasured } from './figures.ts'
import { watchMachine } from './machine.ts'
import { peakRssMB } from './process.ts'
import { clustersOf } from './scenarios.ts'
import { countBackups, openBackups } from './slice-client.ts'
import { isComplete } from './state-call.ts'
import { watched } from './watched.ts'

const GUESTS = 75
const SETTLE_MS = 25_000
const BASE_MS = 30_000
/** All backups except those that are still being written. */
const nearly = (backups: number) => Math.floor(backups * 0.999)
const COLLECT_LIMIT_MS = 600_000
/** Pulse reads everything again within this time: it reads a backup server completely at most every five minutes. */
const STEADY_MS = 330_000
const OPENED_AGAIN = 4

/** Measures a backup server with that many backups in twenty namespaces, and a small cluster that uses it. */
export async function measureBackups(backups: number, product: string): Promise<BackupFigures> {
  console.log(`${backups.toLocaleString('en')} backups …`)
  const scenario = { ...clustersOf(GUESTS), backups }
  const estate = await startEstate(scenario, product, (url) => pollBackups(url, false))
  try {
    const { url, serverPid, labPid } = estate
    await signIn(url)
    while (!(await isComplete(url, GUESTS))) await pause(200)
    await pause(SETTLE_MS)
    const base = await watched(estate, () => pause(BASE_MS))

    const machine = watchMachine([process.pid, serverPid, labPid])
    const counter = await countBackups(url, await readerOf(product))
    const calls = await countCalls(estate)
    const from = performance.now()
    const collecting = await watched(estate, async () => {
      await pollBackups(url, true)
      await collected(() => counter.count().backups >= nearly(backups))
    })
    const collectedS = (performance.now() - from) / 1000
    const steady = await watched(estate, () => pause(STEADY_MS))
    const callsPerMinute = await calls.end()
    const { namespaces } = counter.count()
    counter.close()

    const first = await watched(estate, () => openBackups(url))
    if (first.result.records < nearly(backups))
      throw new Error(`only ${first.result.records} backups were shown`)
    const again: number[] = []
    for (let n = 0; n < OPENED_AGAIN; n++) again.push((await openBackups(url)).ms)
    const figures: BackupFigures = {
      backups: first.result.records,
      namespaces,
      server: {
        collectedS,
        callsPerMinute,
        callBudget: await budgetOf(url),
        rssBeforeMB: base.rssMB,
        rssMB: steady.rssMB,
        rssGrowthMB: steady.rssMB - base.rssMB,
        rssCollectingMB: collecting.rssMB,
        rssOpenedMB: first.rssMB,
        rssPeakMB: peakRssMB(serverPid),
        cpuPercent: steady.cpuPercent,
        blockBeforeMs: base.longestBlockMs,
        blockCollectingMs: collecting.longestBlockMs,
        blockSteadyMs: steady.longestBlockMs,
        blockOpenedMs: first.longestBlockMs,
      },
      slice: {
        bytes: first.result.bytes,
        textBytes: first.result.textBytes,
        firstMs: first.result.ms,
        againMs: Math.max(...again),
      },
      machine: machine.end(),
      page: await measureBackupsPage(url, nearly(backups)),
    }
    return demandMeasured(figures)
  } finally {
    await estate.stop()
  }
}

async function collected(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + COLLECT_LIMIT_MS
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('the backups were not collected within ten minutes')
    await pause(100)
  }
}

async function pollBackups(url: string, backupPollingEnabled: boolean): Promise<void> {
  const answer = await fetch(`${url}/api/system/settings/update`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ backupPollingEnabled }),
  })
  if (!answer.ok) throw new Error(`backup polling cannot be switched: ${await answer.text()}`)
}

const SERVER = 'pbs1'

interface Counted {
  total: number
}

/** Calls to the backup server in the busiest minute, sampled every second. */
async function countCalls({ labUrl }: Estate) {
  const look = async () => {
    const { total } = (await (await fetch(`${labUrl}/requests?node=${SERVER}`)).json()) as Counted
    return { at: performance.now(), total }
  }
  const looks = [await look()]
  const ended = new AbortController()
  const looking = (async () => {
    while (!ended.signal.aborted) {
      await pause(1_000)
      looks.push(await look())
    }
  })()
  return {
    async end() {
      ended.abort()
      await looking
      const minutes = looks.flatMap(({ at, total }) => {
        const before = looks.findLast((one) => one.at <= at - 60_000)
        return before ? [total - before.total] : []
      })
      return Math.max(...minutes)
    },
  }
}

async function budgetOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/performance`, { headers: asAdmin })
  const { connections } = (await answer.json()) as PerformanceReply
  const found = Object.values(connections).find(({ name }) => name === SERVER)
  return found?.budget.listCallsPerMinute ?? Number.NaN
}
