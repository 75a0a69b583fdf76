// This file serves tests only, like the package it needs.
import type { Alert } from '@pulse/contract'
import type { LabControl } from '@pulse/lab'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { connectLive } from '../testing/live-client.ts'
import { login } from '../testing/people.ts'
import { dayMs, hourMs, type Month } from './fixtures-month.ts'

/** Active time in each part of a day; all parts sleep in between. */
export interface DayLoad {
  workMs: number
  /** guests that are created and deleted per day */
  churn: number
}

/** Guests of jobs have higher numbers. */
export const firstJob = 200_000
export const jobOf = (day: number, n: number) => firstJob + day * 100 + n

/** Creates the guests of the two days before the first one. */
export function prepare({ lab: { control } }: Month, { churn }: DayLoad) {
  for (const day of [-1, 0]) for (let n = 0; n < churn; n++) createJob(control, day, n)
}

function createJob(control: LabControl, day: number, n: number) {
  const nodes = control.summary().clusters[0]!.nodes
  const node = nodes[n % nodes.length]!.name
  control.createGuest({ vmid: jobOf(day + 1, n), name: `job-${day}-${n}`, node, status: 'running' })
}

/**
 * One day: the network fails, users work, machines have problems, and channels fail. In the evening
 * everything works.
 */
export async function liveDay(month: Month, day: number, dayLoad: DayLoad) {
  const from = (day - 1) * dayMs
  const parts: [hour: number, (month: Month, day: number, dayLoad: DayLoad) => Promise<void>][] = [
    [1, backups],
    [6, network],
    [10, people],
    [14, troubles],
    [20, calm],
  ]
  for (const [hour, live] of parts) {
    month.sleepUntil(from + hour * hourMs)
    await live(month, day, dayLoad)
  }
}

const someOf = ({ lab }: Month, day: number, count: number) => {
  const all = lab.control
    .guests()
    .filter(({ vmid, template, lock }) => vmid < firstJob && !template && lock === undefined)
  return Array.from({ length: count }, (_, n) => all[(day * count + n * 7) % all.length]!)
}

/**
 * Pins the load of every container, or releases it: then the load of `shop-worker-1` varies around its
 * thresholds.
 */
function loadContainers({ lab: { control, docker } }: Month, load: number | null) {
  const pins = { cpuPercent: load, memoryUsageBytes: load }
  for (const { name } of docker) {
    const all = control.dockerReport(name).containers.map((one) => [one.name, pins] as const)
    control.patchDockerHost(name, { containers: Object.fromEntries(all) })
  }
}

/** Some backups fail tonight that worked yesterday; snapshots of guests are created and deleted. */
async function backups(month: Month, day: number, { workMs, churn }: DayLoad) {
  const { control } = month.lab
  loadContainers(month, null)
  for (const { vmid } of someOf(month, day - 1, churn)) control.patchGuest(vmid, { backup: null })
  for (const [n, { vmid }] of someOf(month, day, churn).entries())
    control.patchGuest(vmid, {
      snapshots: (day + n) % 5,
      backup: { fails: `VM ${vmid} qmp command 'backup' failed - got timeout` },
    })
  await month.work(workMs)
}

/** Sources fail and recover: no connection, closed connections, timeouts, refusals, invalid answers; an agent reports late. */
async function network(month: Month, day: number, { workMs }: DayLoad) {
  const { control } = month.lab
  const nodes = month.lab.clusters[0]!.nodes
  const node = nodes[day % nodes.length]!.name
  const [pbs, otherPbs] = [0, 1].map((n) => month.lab.pbs[(day + n) % 2]!.name)
  const { name: gateway } = month.lab.pmg[0]!
  const dock = month.lab.docker[day % month.lab.docker.length]!.name
  await control.patchAppliance(pbs!, { online: false })
  if (day % 2 === 0) await control.patchNode(node, { online: false })
  control.addFault({ kind: 'reset', node: nodes[(day + 1) % nodes.length]!.name, times: 5 })
  control.addFault({ kind: 'status', status: 500, node: otherPbs!, times: 5 })
  control.addFault({ kind: 'broken-json', node: gateway, times: 5 })
  control.addFault({ kind: 'hang', node: nodes[(day + 2) % nodes.length]!.name, times: 2 })
  control.patchDockerHost(dock, { online: false })
  await month.work(workMs)
  control.clearFaults()
  await control.patchNode(node, { online: true })
  await control.patchAppliance(pbs!, { online: true })
  control.patchDockerHost(dock, { online: true })
  await month.work(workMs)
}

/** Guests and containers are created, migrated and deleted; users sign in, read, acknowledge and save. */
async function people(month: Month, day: number, { workMs, churn }: DayLoad) {
  const { lab, server, call } = month
  const { control } = lab
  const nodes = lab.clusters[0]!.nodes.map(({ name }) => name)
  for (let n = 0; n < churn; n++) {
    createJob(control, day, n)
    control.deleteGuest(jobOf(day - 1, n))
  }
  for (const { vmid } of someOf(month, day, churn)) control.migrateGuest(vmid, nodes[vmid % nodes.length]!)
  await reportRunner(month, day, churn)

  for (let n = 0; n < 3; n++) await login(server, 'olga')
  for (let n = 0; n < 6; n++) await login(server, `stranger-${day}-${n}`)
  const active = (await call('GET', '/api/alerts/active')) as Alert[]
  for (const { id } of active.slice(0, 3)) await call('POST', '/api/alerts/acknowledge', { id })
  await call('PUT', '/api/alerts/config', {
    guestDefaults: { cpu: { trigger: 80 + (day % 5), clear: 70 } },
  })
  await call('POST', '/api/system/settings/update', { connectionTimeout: 30 + (day % 10) })
  const made = (await call('POST', '/api/security/tokens', { name: `script ${day}` })) as {
    record: { id: string }
  }
  for (const delta of [true, false]) {
    const client = await connectLive(server.url, { delta })
    client.close()
    await client.closed
  }
  for (const where of ['/api/state', '/api/diagnostics', '/metrics', '/api/alerts/history?limit=50'])
    await server.call('GET', where)
  await month.work(workMs)
  await call('DELETE', `/api/security/tokens/${made.record.id}`)
}

/** A host that runs jobs: all its containers are new the next day. */
async function reportRunner({ agent, now }: Month, day: number, churn: number) {
  const containers = Array.from({ length: churn * 3 }, (_, n) =>
    aContainer({
      id: `${day}f${n}f`.padStart(64, '0'),
      name: `job-${day}-${n}`,
      health: n === 0 ? 'unhealthy' : 'healthy',
    }),
  )
  const timestamp = new Date(now()).toISOString()
  await agent('POST', '/api/agents/docker/report', aReport({ id: 'runner', containers, timestamp }))
}

/** Machines exceed their thresholds and all channels fail; then everything recovers. */
async function troubles(month: Month, day: number, { workMs, churn }: DayLoad) {
  const { lab, sinks } = month
  const { control } = lab
  const inTrouble = someOf(month, day, churn).map(({ vmid }) => control.guest(vmid))
  month.troubled.set(
    day,
    inTrouble.map(({ vmid }) => vmid),
  )
  const ways = [
    { kind: 'status', status: 500, body: 'down' },
    { kind: 'hang' },
    { kind: 'reset' },
    { kind: 'status', status: 429, retryAfter: '30' },
  ] as const
  sinks.behave(ways[day % ways.length]!)
  for (const { vmid, maxMem, maxDisk } of inTrouble)
    control.patchGuest(vmid, {
      status: 'running',
      cpu: 0.97,
      memUsed: Math.floor(0.96 * maxMem),
      memCached: 0,
      diskUsed: Math.floor(0.97 * maxDisk),
    })
  control.patchStorage('nas-vm', { total: 1e12, used: 9.3e11 })
  await month.work(workMs)
  sinks.behave({ kind: 'take' })
  for (const { vmid } of inTrouble) control.patchGuest(vmid, { cpu: 0.1, memUsed: 2e8, diskUsed: 1e9 })
  control.patchStorage('nas-vm', { used: 3e11 })
  await month.work(workMs)
}

/**
 * Delayed messages are sent, and the alerts resolve. The remaining alerts are the same every evening, and
 * none is acknowledged.
 */
async function calm(month: Month, _day: number, { workMs }: DayLoad) {
  loadContainers(month, 1)
  const active = (await month.call('GET', '/api/alerts/active')) as Alert[]
  for (const { id, acknowledged } of active)
    if (acknowledged) await month.call('POST', '/api/alerts/unacknowledge', { id })
  await month.work(workMs)
  month.sleepUntil(month.at() + 2 * hourMs)
  await month.work(workMs)
}
