import { intakeOf, startFleet } from './agent-fleet.ts'
import { measureDockerPage } from './agents-page.ts'
import type { AgentFigures } from './agents-report.ts'
import { deltaClient } from './clients.ts'
import { asAdmin, pause, signIn, startEstate } from './estate.ts'
import { demandMeasured } from './figures.ts'
import { watchMachine } from './machine.ts'
import { clustersOf } from './scenarios.ts'
import { isComplete } from './state-call.ts'
import { watched } from './watched.ts'

const GUESTS = 75
const CONTAINERS = 50
const INTERVAL_S = 30
const SETTLE_MS = 25_000
const BASE_MS = 30_000
/** Four intervals: four reports of each agent. */
const STEADY_MS = 4 * INTERVAL_S * 1000

/** Measures agents that report to one server, with a small cluster and one browser. */
export async function measureAgents(hosts: number, product: string): Promise<AgentFigures> {
  console.log(`${hosts.toLocaleString('en')} agents …`)
  const estate = await startEstate(clustersOf(GUESTS), product)
  const stops: (() => unknown)[] = []
  try {
    const { url, serverPid, labPid } = estate
    await signIn(url)
    while (!(await isComplete(url, GUESTS))) await pause(200)
    const client = await deltaClient(url)
    stops.push(client.close)
    await pause(SETTLE_MS)
    const base = await watched(estate, () => pause(BASE_MS))

    const token = await reportToken(url)
    const plan = { url, token, version: '0.9.0', hosts, containers: CONTAINERS, intervalSeconds: INTERVAL_S }
    const fleet = await startFleet(plan)
    stops.push(fleet.stop)
    await pause(2 * INTERVAL_S * 1000)
    await everyHost(url, hosts)
    const machine = watchMachine([process.pid, serverPid, labPid, ...fleet.pids])
    await fleet.take()
    client.reset()
    const steady = await watched(estate, async () => {
      await pause(STEADY_MS)
      return fleet.take()
    })
    const bytesPer10s = (client.patchBytes * 10_000) / STEADY_MS
    const busy = machine.end()
    const atOnce = await watched(estate, fleet.atOnce)
    const figures: AgentFigures = {
      hosts,
      containersPerHost: CONTAINERS,
      intervalSeconds: INTERVAL_S,
      bytesPerReport: steady.result.bytes / steady.result.ms.length,
      steady: intakeOf(steady.result),
      atOnce: intakeOf(atOnce.result),
      server: {
        cpuBeforePercent: base.cpuPercent,
        cpuPercent: steady.cpuPercent,
        rssBeforeMB: base.rssMB,
        rssMB: steady.rssMB,
        rssAtOnceMB: atOnce.rssMB,
        blockMs: steady.longestBlockMs,
        blockAtOnceMs: atOnce.longestBlockMs,
        waitP99Ms: steady.waitP99Ms,
      },
      bytesPer10s,
      machine: busy,
      page: await measureDockerPage(url),
    }
    return demandMeasured(figures)
  } finally {
    for (const stop of stops.toReversed()) await stop()
    await estate.stop()
  }
}

/** One report-only token for all: a token for each agent costs the server no more. */
async function reportToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/security/tokens`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Agents of the bench', scopes: ['docker:report'] }),
  })
  if (!answer.ok) throw new Error(`the bench gets no token for its agents: ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

interface Shown {
  dockerHosts: { status: string; containers: unknown[] }[]
}

/** Verifies that all hosts and containers have arrived, so that the figures describe the scenario. */
async function everyHost(url: string, hosts: number): Promise<void> {
  const answer = await fetch(`${url}/api/state`, { headers: asAdmin })
  const { dockerHosts } = (await answer.json()) as Shown
  const whole = dockerHosts.filter(
    ({ status, containers }) => status === 'online' && containers.length === CONTAINERS,
  )
  if (whole.length !== hosts) throw new Error(`not measured: ${whole.length} of ${hosts} agents are there`)
}
