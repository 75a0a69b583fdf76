import { deltaClient, plainClient, readerOf } from './clients.ts'
import { type Estate, pause, signIn } from './estate.ts'
import { type Figures, percentile, waitPercentile } from './figures.ts'
import { callsSince, forgetCalls, type GuestType } from './lab-calls.ts'
import { watchMachine } from './machine.ts'
import { peakRssMB, rssMB, watchProcess } from './process.ts'
import type { Scenario } from './scenarios.ts'
import { isComplete, runningGuests, stateTimes } from './state-call.ts'

const CYCLE_MS = 10_000
const SETTLE_MS = 25_000
/** A minute with five clients: six cycles, and the work of each minute. */
const CYCLES = 6
const CYCLES_OF_MANY = 2

type Measured = Pick<Figures, 'server' | 'wire' | 'latency' | 'machine'>

/** Measures everything without a browser, in less than three minutes. `ours`: the processes of this run. */
export async function measureServer(
  estate: Estate,
  scenario: Scenario,
  product: string,
  ours: readonly number[],
): Promise<Measured> {
  const { url, serverPid: pid } = estate
  await signIn(url)
  await until(() => isComplete(url, scenario.guests))
  await pause(SETTLE_MS)

  const five = await withFive(estate, product, ours)
  const state = await stateTimes(url)
  const fifty = await withFifty(estate, product)
  const plain = await withFiftyPlain(estate)
  const cpuMsPerCycle = (five.cpuPercent / 100) * CYCLE_MS
  return {
    server: {
      cpuPercent: five.cpuPercent,
      cpuMsPerCycle,
      cpuMsPerCyclePer1000Guests: cpuMsPerCycle / (scenario.guests / 1000),
      cpu50ClientsPercent: fifty.cpuPercent,
      cpu50PlainPercent: plain.cpuPercent,
      rssMB: five.rssMB,
      rss50ClientsMB: fifty.rssMB,
      rss50PlainMB: plain.rssMB,
      rssAfterMB: plain.rssAfterMB,
      rssPeakMB: peakRssMB(pid),
      longestBlockMs: five.longestBlockMs,
      longestBlock50ClientsMs: fifty.longestBlockMs,
      waitP99Ms: five.waitP99Ms,
      listCallsPerSourcePerMinute: five.calls.busiestSource,
      listCallBudgetPerSource: 10 + (4 * scenario.nodes) / scenario.clusters,
      probeCallsPerGuestPerMinute: mostPerGuest(five.calls.probes, await runningGuests(url)),
      stateP95Ms: state.gzipP95Ms,
      statePlainP95Ms: state.plainP95Ms,
      startMs: estate.startMs,
    },
    wire: {
      snapshotBytes: five.snapshotBytes,
      bytesPerUpdate: five.bytesPerUpdate,
      bytesPerUpdate50Clients: fifty.bytesPerUpdate,
      fullBytes: plain.bytes,
    },
    latency: {
      answerToMessageP95Ms: percentile(five.delaysMs, 0.95),
      answerToMessage50ClientsP95Ms: percentile(fifty.delaysMs, 0.95),
    },
    machine: five.machine,
  }
}

async function withFive(estate: Estate, product: string, ours: readonly number[]) {
  const { url, serverPid, labUrl } = estate
  const one = await deltaClient(url, await readerOf(product))
  const others = await clients(4, url)
  await pause(3_000)
  await forgetCalls(labUrl)
  await estate.loop()
  one.reset()
  const machine = watchMachine(ours)
  const watched = watchProcess(serverPid)
  await pause(CYCLES * CYCLE_MS)
  const spent = watched.end()
  const loop = await estate.loop()
  const calls = await callsSince(labUrl)
  for (const client of [one, ...others]) client.close()
  return {
    ...spent,
    machine: machine.end(),
    longestBlockMs: Math.max(...loop.blocks),
    waitP99Ms: waitPercentile(loop.blocks, loop.ms, 0.99),
    calls,
    snapshotBytes: one.snapshotBytes,
    bytesPerUpdate: one.patchBytes / CYCLES,
    delaysMs: one.delaysMs,
  }
}

async function withFifty({ url, serverPid, loop }: Estate, product: string) {
  const one = await deltaClient(url, await readerOf(product))
  const many = await clients(49, url)
  await pause(3_000)
  await loop()
  for (const client of [one, ...many]) client.reset()
  const watched = watchProcess(serverPid)
  await pause(CYCLES_OF_MANY * CYCLE_MS)
  const spent = watched.end()
  const { blocks } = await loop()
  for (const client of [one, ...many]) client.close()
  return {
    ...spent,
    longestBlockMs: Math.max(...blocks),
    bytesPerUpdate: many.reduce((sum, c) => sum + c.patchBytes, 0) / many.length / CYCLES_OF_MANY,
    delaysMs: one.delaysMs,
  }
}

async function withFiftyPlain({ url, serverPid }: Estate) {
  const plains = await Promise.all(Array.from({ length: 50 }, () => plainClient(url)))
  await until(() => plains.every((client) => client.frames > 0))
  const watched = watchProcess(serverPid)
  await pause(CYCLES_OF_MANY * CYCLE_MS)
  const spent = watched.end()
  const [{ bytes }] = plains as [(typeof plains)[0]]
  for (const client of plains) client.close()
  await pause(CYCLE_MS)
  return { ...spent, bytes, rssAfterMB: rssMB(serverPid) }
}

/** Computed per kind, so that many containers do not hide the calls for few VMs, nor the reverse. */
const mostPerGuest = (probes: Record<GuestType, number>, running: Record<GuestType, number>) =>
  Math.max(...(['qemu', 'lxc'] as const).map((type) => probes[type] / Math.max(1, running[type])))

const clients = (count: number, url: string) =>
  Promise.all(Array.from({ length: count }, () => deltaClient(url)))

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the estate was not complete within two minutes')
    await pause(200)
  }
}
