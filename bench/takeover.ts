import { type Lab, startLab } from '@pulse/lab'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectEstate } from '../scripts/estate.mjs'
import { ownProduct } from './arguments.ts'
import { type RoleProcess, type Roles, startRoles } from './cluster-processes.ts'
import { pause, signIn, token } from './estate.ts'
import { demandMeasured, percentile } from './figures.ts'
import type { TakeoverFigures } from './takeover-report.ts'

const lookMs = 50
const withinMs = 60_000
/** Gives calls to the hosts of the lab an address of their own. */
const preload = pathToFileURL(path.join(ownProduct, 'apps/server/src/testing/faulty-process.mjs')).href
const addressOf = (n: number) => `127.78.0.${n}`

/** How long others need to replace a process that was killed as with kill -9. */
export async function measureTakeover(kills: number): Promise<TakeoverFigures> {
  console.log(`${kills} kills of a process that collects, and of the one that leads …`)
  /** the address that asked each source last */
  const askers = new Map<string, string>()
  const lab = await startLab({
    nodes: 6,
    clusters: 6,
    guests: 12,
    pbs: 1,
    pmg: 1,
    authDelayMs: 0,
    onRequest: ({ cluster, from }) => void askers.set(cluster, from),
  })
  let roles: Roles | undefined
  try {
    roles = await startRoles({ roles: ['judge', 'judge', 'serve'], natsServers: 3, isQuiet: true })
    const serve = roles.processes('serve')[0]!
    await signIn(serve.url)
    await connectEstate(serve.url, lab, token)
    const lead = await leadTakeovers(roles, kills)
    const collectors = await collectorTakeovers(roles, lab, askers, kills)
    return demandMeasured({
      kills,
      collectorWorstMs: Math.max(...collectors),
      collectorMedianMs: percentile(collectors, 0.5),
      leadWorstMs: Math.max(...lead),
      leadMedianMs: percentile(lead, 0.5),
    })
  } finally {
    await roles?.stop()
    await lab.close()
  }
}

/** Until another process polls every source of the one that was killed. */
async function collectorTakeovers(roles: Roles, lab: Lab, askers: Map<string, string>, kills: number) {
  const addresses = new Map<RoleProcess, string>()
  let starts = 0
  const startCollector = async () => {
    const address = addressOf(++starts)
    const env = { PULSE_TEST_LOCAL_ADDRESS: address }
    addresses.set(await roles.start('collect', { env, imports: [preload] }), address)
  }
  for (let n = 0; n < 3; n++) await startCollector()
  const sources = lab.clusters.length + lab.pbs.length + lab.pmg.length
  const times: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const running = roles.processes('collect')
    const own = running.map((one) => addresses.get(one)!)
    await until('the processes share the sources', () => {
      const asking = new Set(askers.values())
      return askers.size === sources && own.every((one) => asking.has(one)) && asking.size === own.length
    })
    const killed = running[kill % running.length]!
    const address = addresses.get(killed)!
    await killed.kill()
    const from = performance.now()
    await until('others poll the sources', () => ![...askers.values()].includes(address))
    times.push(performance.now() - from)
    await startCollector()
  }
  return times
}

/** Until another process says that it leads. */
async function leadTakeovers(roles: Roles, kills: number) {
  const times: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const leader = await leaderOf(roles)
    await leader.kill()
    const from = performance.now()
    await leaderOf(roles)
    times.push(performance.now() - from)
    await roles.start('judge')
  }
  return times
}

async function leaderOf(roles: Roles): Promise<RoleProcess> {
  let leader: RoleProcess | undefined
  await until('a process leads', async () => {
    for (const one of roles.processes('judge')) if (await leads(one)) leader = one
    return leader !== undefined
  })
  return leader!
}

async function leads({ url }: RoleProcess): Promise<boolean> {
  const answer = await fetch(`${url}/api/health/ready`)
  return ((await answer.json()) as { leads?: boolean }).leads === true
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not measured within ${withinMs / 1_000} s: ${what}`)
    await pause(lookMs)
  }
}
