import { type AlertConfig, type AnyRecord, type BackTestMetric, kindOf } from '@pulse/contract'
import {
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { T0 } from '../alerts/fixtures.ts'
import { mailRows } from '../notify/mail.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { Dispatcher } from '../notify/dispatcher.ts'
import { active, play, recorded, tickMs } from './fixtures-back-test.ts'
import { alertsOf, driven, type Gap, type Loads, type Polled, wanderingLoads } from './fixtures-live.ts'
import { playedRecord } from './played-records.ts'
import { playedThreshold } from './played-thresholds.ts'
import { precisionOf } from './precision.ts'
import { isSample } from './series.ts'
import { dayMs } from './tiers.ts'

const GiB = 1024 ** 3
const usage = (percent: number) => ({ total: 100, used: percent, free: 100 - percent, usage: percent })

const guests = (change: (sample: number) => object): Polled => ({
  kind: 'guests',
  source: { name: 'main', kind: 'pve' },
  record: (n, sample) =>
    aGuest({
      vmid: 100 + n,
      name: `guest ${n}`,
      ...(sample === undefined ? { status: 'stopped', cpu: 0 } : change(sample)),
    }),
})
const nodes = (change: (sample: number) => object): Polled => ({
  kind: 'nodes',
  source: { name: 'main', kind: 'pve' },
  record: (n, sample) =>
    aNode({
      node: `pve${n}`,
      // its cluster answers
      ...(sample === undefined
        ? { status: 'offline', connectionHealth: 'healthy', staleSince: T0 }
        : change(sample)),
    }),
})
const containers = (change: (sample: number) => object): Polled => ({
  kind: 'dockerContainers',
  source: { name: 'dock1', kind: 'docker' },
  others: { dockerHosts: [aDockerHost()] },
  record: (n, sample) =>
    aDockerContainer({ name: `c${n}`, ...(sample === undefined ? { state: 'exited' } : change(sample)) }),
})
const storages: Polled = {
  kind: 'storage',
  source: { name: 'main', kind: 'pve' },
  others: { nodes: [aNode()] },
  record: (n, sample) =>
    aStorage({
      name: `s${n}`,
      ...(sample === undefined ? { status: 'inactive', staleSince: T0 } : usage(sample)),
    }),
}
const backupServers: Polled = {
  kind: 'pbs',
  source: { name: 'pbs', kind: 'pbs' },
  record: (_, memory) => aPbsServer({ source: 'pbs', ...(memory !== undefined && { memory }) }),
}
const gateways: Polled = {
  kind: 'pmg',
  source: { name: 'mail', kind: 'pmg' },
  record: (_, total = 0) => {
    const gateway = aMailGateway()
    const [node] = gateway.nodes!
    const { oldestAt: _oldest, ...queueStatus } = { ...node!.queueStatus!, total, deferred: 0 }
    return { ...gateway, nodes: [{ ...node!, queueStatus }] }
  },
}

interface Case {
  polled: Polled
  metric: BackTestMetric
  /** default: three */
  things?: number
  /**
   * Default: stops. An alert of a guest or a storage stays open while its source is silent. Other alerts end
   * with the alert about their host, which is not played.
   */
  gaps?: readonly Gap[]
  trigger?: number
  /** the figure for a load in percent */
  sampleOf?: (load: number) => number
}
const both = ['stop', 'silence'] as const
const asIs = (load: number) => load
const cases: Record<string, Case> = {
  'CPU of guests': {
    gaps: both,
    polled: guests((cpu) => ({ cpu })),
    metric: 'cpu',
    sampleOf: (load) => load / 100,
  },
  'memory of guests': {
    gaps: both,
    polled: guests((one) => ({ memory: usage(one) })),
    metric: 'memory',
    trigger: 85,
  },
  'disk of guests': {
    gaps: both,
    polled: guests((one) => ({ disk: usage(one) })),
    metric: 'disk',
    trigger: 90,
  },
  'CPU of nodes': { polled: nodes((cpu) => ({ cpu })), metric: 'cpu', sampleOf: (load) => load / 100 },
  'memory of nodes': { polled: nodes((one) => ({ memory: usage(one) })), metric: 'memory', trigger: 85 },
  'temperature of nodes': {
    polled: nodes((cpuPackage) => ({ temperature: { available: true, cpuPackage } })),
    metric: 'temperature',
  },
  'usage of storages': { gaps: both, polled: storages, metric: 'usage', trigger: 85 },
  'memory of backup servers': { things: 1, gaps: [], polled: backupServers, metric: 'memory', trigger: 85 },
  'CPU of containers': { polled: containers((cpuPercent) => ({ cpuPercent })), metric: 'cpu' },
  'memory of containers': {
    polled: containers((one) => ({ memoryPercent: one })),
    metric: 'memory',
    trigger: 85,
  },
  'memory limit of containers': {
    polled: containers((memoryUsageBytes) => ({ memoryUsageBytes, memoryLimitBytes: 2 * GiB })),
    metric: 'memoryWarnPct',
    trigger: 90,
    sampleOf: (load) => (load / 100) * 2 * GiB,
  },
  'queued mail': {
    things: 1,
    gaps: [],
    polled: gateways,
    metric: 'queueTotalWarning',
    sampleOf: (load) => load * 6.25,
  },
}

function bothOf({ polled, metric, sampleOf = asIs }: Case, loads: Loads, config: AlertConfig) {
  const { kind } = polled
  const { unit, type } = playedThreshold(kind, metric)
  const { toStored, fromStored } = precisionOf[unit]
  const ticks = loads.map((tick) => tick.map((load) => (isSample(load) ? toStored(sampleOf(load)) : load)))
  const keyOf = kindOf(kind).key as (record: AnyRecord) => string
  const things = ticks[0]!.map((_, number) => {
    const record = polled.record(number, 0)
    return { number, key: keyOf(record), record: playedRecord(kind, metric, record) as never }
  })
  const live = driven(
    ticks,
    {
      ...polled,
      record: (n, stored) => polled.record(n, stored === undefined ? undefined : fromStored(stored)),
    },
    config,
  ).filter(({ stored }) => stored.alert.type === type)
  const to = T0 + ticks.length * tickMs
  const neighbours = new Map(
    Object.values(polled.others ?? {}).flatMap((list) => list.map((one) => ['dock1', one] as const)),
  )
  const played = play(recorded(ticks, unit), { kind, metric, things, neighbours, to, config })
  return { live, played, to }
}

/** Counts and lengths by day and by thing, of all alerts and not only of the first 200. */
function countsOf(alerts: ReturnType<typeof alertsOf>, to: number) {
  const byThing = Map.groupBy(alerts, ({ id }) => id)
  const lengthOf = (list: typeof alerts) =>
    list.reduce((sum, { started, ended = to }) => sum + ended - started, 0)
  return {
    total: alerts.length,
    totalMs: lengthOf(alerts),
    things: byThing.size,
    top: new Map([...byThing].map(([id, list]) => [id, { count: list.length, totalMs: lengthOf(list) }])),
  }
}

function expectEqual({ live, played, to }: ReturnType<typeof bothOf>) {
  const wanted = alertsOf(live)
  const { alerts, perDay, total, totalMs, things, top } = played
  expect(
    alerts.map(({ id, started, ended }) => ({ id, started, ...(ended !== undefined && { ended }) })),
  ).toEqual(wanted.slice(0, alerts.length))
  expect({
    total,
    totalMs,
    things,
    top: new Map(top.map(({ id, count, totalMs: own }) => [id, { count, totalMs: own }])),
  }).toEqual(countsOf(wanted, to))
  expect(perDay).toEqual(
    perDay.map(({ day }, n) => ({
      day,
      count: wanted.filter(({ started }) => started >= day && started < (perDay[n + 1]?.day ?? Infinity))
        .length,
    })),
  )
}

/** The messages of the live alerts to one channel, by the dispatcher of the product. */
function messagesOf(changes: readonly AlertChange[], config: AlertConfig, to: number): number {
  const capacity = { firing: mailRows, resolved: mailRows }
  const channel = { id: 'email', kind: 'email', name: 'Email', enabled: true, capacity } as const
  const moment = (at: number) => ({ now: at, monotonic: at })
  const none = { open: [], log: [], endOf: () => undefined, underWay: [], sent: [] }
  const dispatcher = new Dispatcher(config, [channel], none, moment(T0))
  let [count, now] = [0, T0]
  const send = () => {
    while (dispatcher.isBusy) dispatcher.step(moment(now))
    for (;;) {
      const messages = dispatcher.take(channel.id, moment(now))
      if (messages.length === 0) return
      count += messages.length
      for (const message of messages) dispatcher.finish(message, 'delivered', moment(now))
    }
  }
  const wait = (until: number) => {
    for (;;) {
      const next = dispatcher.nextDue(now) ?? Infinity
      if (next > until) break
      now = Math.max(now, next)
      dispatcher.due(moment(now))
      send()
    }
    now = until
  }
  for (const [at, together] of Map.groupBy(changes, (change) => change.at)) {
    wait(at)
    dispatcher.apply(together, moment(at))
    send()
  }
  wait(to)
  return count
}

describe('[M 3.7] a back-test of samples as polled', () => {
  test.each(Object.entries(cases))('counts what the live engine raised: %s', (_, one) => {
    const { things = 3, gaps = ['stop'], trigger = 80 } = one
    const result = bothOf(one, wanderingLoads(dayMs / tickMs, things, trigger, gaps), active)
    expect(result.live.length).toBeGreaterThan(10)
    expectEqual(result)
  })

  test('counts every alert of a week, not only the first 200', () => {
    const result = bothOf(cases['CPU of guests']!, wanderingLoads((7 * dayMs) / tickMs, 3, 80), active)
    expect(result.played.total).toBeGreaterThan(300)
    expect(result.played.alerts).toHaveLength(200)
    expectEqual(result)
  })

  const quietHours = {
    ...active.schedule.quietHours,
    enabled: true,
    start: '22:00',
    end: '08:00',
    timezone: 'UTC',
  }
  const alone = { ...active.schedule.grouping, enabled: false }
  test.each([
    ['the defaults', {}],
    ['quiet hours', { quietHours }],
    ['reminders and no limit', { cooldown: 15, maxAlertsHour: 0 }],
    ['one message for each', { grouping: alone, maxAlertsHour: 0, cooldown: 0 }],
    ['quiet hours without resolved messages', { quietHours, notifyOnResolve: false, grouping: alone }],
  ])('counts the messages that the live alerts would have made: %s', (_, change) => {
    const config = { ...active, schedule: { ...active.schedule, ...change } }
    const { live, played, to } = bothOf(
      cases['CPU of guests']!,
      wanderingLoads(dayMs / tickMs, 3, 80),
      config,
    )
    expect(played.messages).toBeGreaterThan(0)
    expect(played.messages).toBe(messagesOf(live, config, to))
  })
})
