import { alertDefaults, type AnyRecord, type BackTest, type BackTestMetric } from '@pulse/contract'
import { type BackTestRequest, type BackTestResult, keepMsOf, type Tables } from '@pulse/domain'
import { aDockerContainer, aGuest, aMailGateway, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { backTestRoute } from './back-test.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = Date.UTC(2026, 10, 29, 5, 30)
const usual = { historyRawHours: 24, historyMinuteDays: 14, historyQuarterHourMonths: 13, historyDayYears: 0 }
const played: BackTestResult = {
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

async function ask(
  kind: BackTestRequest['kind'],
  metric: BackTestMetric,
  records: Record<string, AnyRecord> = {},
  lengths: Partial<typeof usual> = {},
) {
  const requests: Omit<BackTestRequest, 'field'>[] = []
  const { handle } = backTestRoute({
    history: {
      numberOf: (_, id) => Object.keys(records).indexOf(id),
      backTest: async (_, request) => {
        requests.push(request)
        return played
      },
    },
    tables: {
      nodes: new Map(),
      pmg: new Map(),
      dockerHosts: new Map(),
      [kind]: new Map(Object.entries(records)),
    } as unknown as Tables,
    clock: fakeClock(now),
    reachMs: () => keepMsOf({ ...usual, ...lengths }),
  })
  const answer = (await handle({
    body: { kind, metric, config: alertDefaults },
    identity: { principal: { name: 'ann' } },
  } as never)) as BackTest
  return { answer, request: requests[0]! }
}

test.each([
  { historyMinuteDays: 14, days: 14, isCut: false },
  { historyMinuteDays: 2, days: 2, isCut: false },
  { historyMinuteDays: 90, days: 14, isCut: true },
])('[M 3.7] plays the minutes that are kept, at most 14 days: %j', async ({ days, isCut, ...lengths }) => {
  const { answer, request } = await ask('guests', 'cpu', {}, lengths)
  expect([request.from, request.to]).toEqual([now - 0.5 * hourMs - days * dayMs, now])
  expect(answer.isCut).toBe(isCut)
})

test.each([
  { historyRawHours: 6, hours: 5 },
  { historyRawHours: 168, hours: 23 },
])('[M 3.7] plays samples as polled of a day at most: %j', async ({ hours, ...lengths }) => {
  const { request } = await ask('guests', 'cpu', {}, lengths)
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

test('[M 3.7] a container without a memory limit and a guest that reports its file systems are not played', async () => {
  const { memoryLimitBytes: _, ...unlimited } = aDockerContainer({ name: 'free' })
  const containers = { 'dock1:web': aDockerContainer(), 'dock1:free': unlimited }
  const limit = await ask('dockerContainers', 'memoryCriticalPct', containers)
  expect([keys(limit.request), limit.answer.unplayed]).toEqual([['dock1:web'], 1])
  expect((await ask('dockerContainers', 'memory', containers)).answer.unplayed).toBe(0)
  const disks = [{ total: 100, used: 50, free: 50, usage: 50 }]
  const guests = { 'main:100': aGuest({ disks }), 'main:101': aGuest({ vmid: 101 }) }
  const disk = await ask('guests', 'disk', guests)
  expect([keys(disk.request), disk.answer.unplayed]).toEqual([['main:101'], 1])
})
