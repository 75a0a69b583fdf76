import {
  type AlertConfig,
  alertDefaults,
  type AnyRecord,
  type BackTest,
  type BackTestMetric,
  type CustomRule,
} from '@pulse/contract'
import { type BackTestRequest, type BackTestResult, keepMsOf, type Tables } from '@pulse/domain'
import { aDockerContainer, aGuest, aMailGateway, aRuleOn, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { backTestRoute } from './back-test.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = Date.UTC(2026, 10, 29, 5, 30)
const usual = { historyRawHours: 24, historyMinuteDays: 14, historyQuarterHourMonths: 13, historyDayYears: 0 }
const fields = ['guests disk', 'fileSystems usage', 'pmg quarantinedSpam', 'pmg quarantinedViruses']
const none: BackTestResult = {
  from: 0,
  to: 0,
  isOff: false,
  perDay: [],
  total: 0,
  totalMs: 0,
  things: 0,
  top: [],
  alerts: [],
  messages: 0,
}

type FileSystems = Parameters<typeof backTestRoute>[0]['fileSystems']

interface Asked {
  lengths?: Partial<typeof usual>
  fileSystems?: FileSystems
  config?: AlertConfig
  id?: string
}

async function ask(
  kind: BackTestRequest['kind'],
  metric: BackTestMetric,
  records: Record<string, AnyRecord> = {},
  { lengths = {}, fileSystems = new Map(), config = alertDefaults, id }: Asked = {},
) {
  const requests: BackTestRequest[] = []
  const { handle } = backTestRoute({
    history: {
      numberOf: (ofKind, one) =>
        [...(ofKind === kind ? Object.keys(records) : fileSystems.keys())].indexOf(one),
      fieldOf: async ({ kind: ofKind, name }) => fields.indexOf(`${ofKind} ${name}`),
      backTest: async (_, request) => {
        requests.push(request)
        return none
      },
    },
    tables: {
      nodes: new Map(),
      pmg: new Map(),
      dockerHosts: new Map(),
      [kind]: new Map(Object.entries(records)),
    } as unknown as Tables,
    fileSystems,
    clock: fakeClock(now),
    reachMs: () => keepMsOf({ ...usual, ...lengths }),
  })
  const answer = (await handle({
    body: { kind, metric, config, ...(id !== undefined && { id }) },
    identity: { principal: { name: 'ann' } },
  } as never)) as BackTest
  return { answer, request: requests[0]! }
}

test.each([
  { historyMinuteDays: 14, days: 14, isCut: false },
  { historyMinuteDays: 2, days: 2, isCut: false },
  { historyMinuteDays: 90, days: 14, isCut: true },
])('[M 3.7] plays the minutes that are kept, at most 14 days: %j', async ({ days, isCut, ...lengths }) => {
  const { answer, request } = await ask('guests', 'cpu', {}, { lengths })
  expect([request.from, request.to]).toEqual([now - 0.5 * hourMs - days * dayMs, now])
  expect(answer.isCut).toBe(isCut)
})

test.each([
  { historyRawHours: 6, hours: 5 },
  { historyRawHours: 168, hours: 23 },
])('[M 3.7] plays samples as polled of a day at most: %j', async ({ hours, ...lengths }) => {
  const { request } = await ask('guests', 'cpu', {}, { lengths })
  expect(request.rawFrom).toBe(now - 0.5 * hourMs - hours * hourMs)
})

const keys = ({ things }: { things: BackTestRequest['things'] }) => things.map(({ key }) => key)

test('[M 3.7] gateways of a cluster have one alert; those of their nodes are not played', async () => {
  const [node] = aMailGateway().nodes!
  const cluster = { fingerprint: 'AA:BB' }
  const two = [node!, { ...node!, name: 'other' }]
  const { answer, request } = await ask('pmg', 'queueTotalWarning', {
    b: aMailGateway({ source: 'b', cluster, nodes: two }),
    a: aMailGateway({ source: 'a', cluster, nodes: two }),
    c: aMailGateway({ source: 'c' }),
  })
  expect(keys(request)).toEqual(['a', 'c'])
  expect(answer.unplayed).toBe(1)
})

test('[M 3.7] growth of a quarantine is played for its spam and its viruses, also of several nodes', async () => {
  const [node] = aMailGateway().nodes!
  const gateway = aMailGateway({ source: 'a', nodes: [node!, { ...node!, name: 'other' }] })
  const { answer, request } = await ask('pmg', 'quarantineGrowthCritMin', { a: gateway })
  expect(request.things).toMatchObject([
    { field: 2, number: 0, key: 'a', metric: 'quarantineSpamWarn' },
    { field: 3, number: 0, key: 'a', metric: 'quarantineVirusWarn' },
  ])
  expect(answer.unplayed).toBe(0)
})

test('[M 3.7] a container without a memory limit is not played', async () => {
  const { memoryLimitBytes: _, ...unlimited } = aDockerContainer({ name: 'free' })
  const containers = { 'dock1:web': aDockerContainer(), 'dock1:free': unlimited }
  const limit = await ask('dockerContainers', 'memoryCriticalPct', containers)
  expect([keys(limit.request), limit.answer.unplayed]).toEqual([['dock1:web'], 1])
  expect((await ask('dockerContainers', 'memory', containers)).answer.unplayed).toBe(0)
})

const aDisk = (mountpoint: string) => ({ mountpoint, total: 100, used: 50, free: 50, usage: 50 })
const [root, srv] = [aDisk('/'), aDisk('/srv')]
const fileSystems: FileSystems = new Map([
  ['main:100:root', { guestId: 'main:100', disk: root }],
  ['main:100:srv', { guestId: 'main:100', disk: srv }],
  ['main:102:root', { guestId: 'main:102', disk: root }],
  ['hidden:1:root', { guestId: 'hidden:1', disk: root }],
])
const guests = {
  'main:100': aGuest({ vmid: 100, name: 'shown', disks: [root, srv] }),
  // its disk is one
  'main:101': aGuest({ vmid: 101, type: 'lxc' }),
  // stopped, and stopped since the start
  'main:102': aGuest({ vmid: 102, status: 'stopped' }),
  'main:103': aGuest({ vmid: 103, status: 'stopped' }),
  // the first report, which was not sampled yet
  'main:104': aGuest({ vmid: 104, disks: [root] }),
}

test('[M 3.7] the disk of a guest is played by its file systems, with their own figure', async () => {
  const { answer, request } = await ask('guests', 'disk', guests, { fileSystems })
  expect(request.things).toMatchObject([
    { field: 1, number: 0, key: 'main:100:root', owner: 'main:100', record: { name: 'shown' } },
    { field: 1, number: 1, key: 'main:100:srv', owner: 'main:100', record: { name: 'shown' } },
    { field: 0, number: 1, key: 'main:101' },
    { field: 1, number: 2, key: 'main:102:root', owner: 'main:102' },
  ])
  expect(request.things[2]).not.toHaveProperty('owner')
  expect(answer.unplayed).toBe(0)
  const one = await ask('guests', 'disk', guests, { fileSystems, id: 'main:100' })
  expect(keys(one.request)).toEqual(['main:100:root', 'main:100:srv'])
  const cpu = await ask('guests', 'cpu', guests, { fileSystems })
  expect(keys(cpu.request)).toEqual(Object.keys(guests))
})

test('[M 3.7] of more than 64 file systems only those with history are played', async () => {
  const disks = Array.from({ length: 65 }, (_, n) => aDisk(`/srv/${n}`))
  const { answer, request } = await ask(
    'guests',
    'disk',
    { 'main:100': aGuest({ disks }), 'main:101': aGuest({ disks: disks.slice(1) }) },
    { fileSystems },
  )
  expect(keys(request)).toEqual(['main:100:root', 'main:100:srv'])
  expect(answer.unplayed).toBe(1)
})

test('[M 3.7] file systems are not played while a custom rule depends on the disk as a whole', async () => {
  const rule = aRuleOn('disk', 1, { disk: { trigger: 50, clear: 40 } })
  const unplayedWith = async (change: Partial<CustomRule>) => {
    const config = { ...alertDefaults, customRules: [{ ...rule, ...change }] }
    const { answer, request } = await ask('guests', 'disk', guests, { fileSystems, config })
    return [answer.unplayed, keys(request).length]
  }
  expect(await unplayedWith({})).toEqual([2, 1])
  expect(await unplayedWith({ enabled: false })).toEqual([0, 4])
})

test('[M 3.7] an earlier back-test of a user that finds its things later does not replace the newer one', async () => {
  const guests = new Map(
    Array.from({ length: 1_200 }, (_, n) => [`main:${n}`, aGuest({ vmid: n, type: 'lxc' })]),
  )
  const played: number[] = []
  const { handle } = backTestRoute({
    history: {
      numberOf: (_, key) => Number(key.slice(5)),
      fieldOf: async () => 1,
      backTest: async (_, { things }) => {
        played.push(things.length)
        return none
      },
    },
    tables: { nodes: new Map(), pmg: new Map(), dockerHosts: new Map(), guests } as unknown as Tables,
    fileSystems: new Map(),
    clock: fakeClock(now),
    reachMs: () => keepMsOf(usual),
  })
  const call = (kind: string) =>
    handle({
      body: { kind, metric: 'cpu', config: alertDefaults },
      identity: { principal: { name: 'ann' } },
    } as never)
  const [large, small] = await Promise.allSettled([call('guests'), call('nodes')])
  expect(large).toMatchObject({ reason: { code: 'conflict' } })
  expect(small.status).toBe('fulfilled')
  expect(played).toEqual([0])
})
