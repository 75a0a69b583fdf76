import type { PlainState } from '@pulse/contract'
import { deltaClient, plainClient } from './clients.ts'
import { asAdmin, cpuSeconds, type Estate, pause, rssMB } from './estate.ts'
import { type Figures, percentile } from './figures.ts'

const CYCLE_S = 10

interface Counted {
  entries: { cluster: string; template: string; count: number }[]
}

/** Everything that can be measured without a browser. Needs about three minutes. */
export async function measureServer(
  estate: Estate,
  guests: number,
): Promise<{
  server: Figures['server']
  wire: Figures['wire']
  latency: Omit<Figures['latency'], 'answerToPixelP95Ms'>
}> {
  const { url, serverPid: pid } = estate
  await untilComplete(url, guests)
  await pause(20_000)

  const one = await deltaClient(url, true)
  one.reset()
  await pause(3 * CYCLE_S * 1000)
  const bytesPerUpdate = one.patchBytes / 3
  const plain = await plainClient(url)
  await until(() => plain.bytes > 0)
  const fullBytes = plain.bytes
  plain.close()

  const others = await Promise.all(Array.from({ length: 4 }, () => deltaClient(url, false)))
  await pause(5_000)
  await fetch(`${estate.labUrl}/requests`, { method: 'DELETE', headers: { 'x-lab-control': '1' } })
  one.reset()
  const seconds = 60
  const cpu = cpuSeconds(pid)
  await pause(seconds * 1000)
  const cpuPercent = ((cpuSeconds(pid) - cpu) / seconds) * 100
  const counted = (await (await fetch(`${estate.labUrl}/requests`)).json()) as Counted
  const rss = rssMB(pid)
  const loopP99Ms = await loopDelay(url)
  const delays = one.delaysMs
  const stateP95Ms = await stateTime(url)

  const many = await Promise.all(Array.from({ length: 45 }, () => deltaClient(url, false)))
  await pause(5_000)
  one.reset()
  for (const client of many) client.reset()
  await pause(2 * CYCLE_S * 1000)
  const bytesPerUpdate50Clients = many.reduce((sum, c) => sum + c.patchBytes, 0) / many.length / 2
  const rss50ClientsMB = rssMB(pid)
  const delays50 = one.delaysMs
  for (const client of [one, ...others, ...many]) client.close()

  const plains = await Promise.all(Array.from({ length: 50 }, () => plainClient(url)))
  await until(() => plains.every((c) => c.frames > 0))
  const cpu50 = cpuSeconds(pid)
  await pause(2 * CYCLE_S * 1000)
  const full50ClientsCpuPercent = ((cpuSeconds(pid) - cpu50) / (2 * CYCLE_S)) * 100
  for (const client of plains) client.close()

  const calls = callsOf(counted, seconds / 60)
  const vms = await runningVms(url)
  const clusters = Math.ceil(estate.nodes / 25)
  return {
    server: {
      cpuPercent,
      cpuMsPerCycle: (cpuPercent / 100) * CYCLE_S * 1000,
      cpuMsPerCyclePer1000Guests: ((cpuPercent / 100) * CYCLE_S * 1000) / (guests / 1000),
      rssMB: rss,
      rss50ClientsMB,
      loopP99Ms,
      listCallsPerNodePerMinute: calls.lists / estate.nodes,
      listCallsPerClusterPerMinute: calls.busiestCluster,
      listCallBudgetPerCluster: 10 + (4 * estate.nodes) / clusters,
      probeCallsPerVmPerMinute: calls.probes / vms,
      stateP95Ms,
      startMs: estate.startMs,
    },
    wire: {
      snapshotBytes: one.snapshotBytes,
      bytesPerUpdate,
      bytesPerUpdate50Clients,
      fullBytes,
      full50ClientsCpuPercent,
    },
    latency: {
      answerToMessageP95Ms: percentile(delays, 0.95),
      answerToMessage50ClientsP95Ms: percentile(delays50, 0.95),
    },
  }
}

const isProbe = (template: string) => /\/(qemu|lxc)\/\{/.test(template)

function callsOf({ entries }: Counted, minutes: number) {
  const perCluster = new Map<string, number>()
  let probes = 0
  for (const { cluster, template, count } of entries) {
    if (isProbe(template)) probes += count
    else perCluster.set(cluster, (perCluster.get(cluster) ?? 0) + count)
  }
  const lists = [...perCluster.values()]
  return {
    lists: lists.reduce((sum, n) => sum + n, 0) / minutes,
    busiestCluster: Math.max(...lists) / minutes,
    probes: probes / minutes,
  }
}

async function stateTime(url: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 40; n++) {
    const from = performance.now()
    const answer = await fetch(`${url}/api/state`, { headers: { ...asAdmin, 'accept-encoding': 'gzip' } })
    times.push(performance.now() - from)
    await answer.body?.cancel()
    // Longer than the answer may be kept, so that most of them are built anew.
    await pause(250)
  }
  return percentile(times, 0.95)
}

async function loopDelay(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/performance`, { headers: asAdmin })
  const { process } = (await answer.json()) as { process: { loopP99Ms: number } }
  return process.loopP99Ms
}

const state = async (url: string) =>
  (await (await fetch(`${url}/api/state`, { headers: asAdmin })).json()) as PlainState

async function runningVms(url: string): Promise<number> {
  const { vms } = await state(url)
  return vms.filter((vm) => vm.status === 'running').length
}

/** Templates are part of the estate but not shown. */
async function untilComplete(url: string, guests: number): Promise<void> {
  await until(async () => {
    const { vms, containers } = await state(url)
    return vms.length + containers.length > guests * 0.9
  })
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the estate was not complete within two minutes')
    await pause(200)
  }
}
