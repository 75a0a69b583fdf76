import { describe, expect, test } from 'vitest'
import { refusal } from '../proxmox/fixtures-host.ts'
import { aQueue, givenGateway, seconds } from './fixtures-gateway.ts'
import { parts } from './parts.ts'

const minute = 60_000
const startMs = Date.UTC(2026, 0, 1, 12)
const cluster = '/config/cluster/status?list_single_node=1'
const domainStats = {
  monitorMailStats: true,
  monitorQueues: true,
  monitorQuarantine: true,
  monitorDomainStats: true,
}

test('parts have names of their own, and each kind of record comes from one of them', () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length)
  expect(parts.flatMap(({ kinds = [] }) => kinds).toSorted()).toEqual(['pmg', 'pmgBackups'])
})

describe('mail', () => {
  test('[facts 2.5] the last 24 hours: counts by the hour, bytes and times as they pass', async () => {
    const { pass, records } = givenGateway()
    await pass(5)
    expect(records('pmg')[0]!.mailStats).toEqual({
      timeframe: 'day',
      updatedAt: expect.stringMatching(/^2026-01-01T12:00/),
      countTotal: 34 + 23 * 10,
      countIn: 30 + 23 * 8,
      countOut: 4 + 23 * 2,
      // Today had 114 of the 214 incoming mails. The other 100 are half of yesterday's.
      spamIn: 6 + 4,
      spamOut: 0,
      virusIn: 24,
      virusOut: 0,
      bouncesIn: 24,
      bouncesOut: 0,
      bytesIn: 1_500,
      bytesOut: 25,
      rblRejects: 5,
      pregreetRejects: 1,
      greylistCount: 4 + 5,
      junkIn: 20 + 20,
      averageProcessTimeMs: 600,
    })
  })

  test('[facts 2.5] no parameter that gateways refuse is sent', async () => {
    const { pass, asked } = givenGateway()
    await pass(5)
    expect(asked.filter((path) => /timeframe|mailcount\?/.test(path))).toEqual([])
    expect(asked.filter((path) => path.startsWith('/statistics/mail?'))).toEqual([
      `/statistics/mail?starttime=${startMs / 1000}`,
    ])
  })

  test('[facts 2.6] hours and spam scores', async () => {
    const { pass, records } = givenGateway()
    await pass(5)
    const { mailCount, spamDistribution } = records('pmg')[0]!
    expect(mailCount).toHaveLength(24)
    expect(mailCount![0]).toMatchObject({
      timestamp: new Date((seconds - 24 * 3_600) * 1000).toISOString(),
      timeframe: 'hour',
      index: 0,
      count: 34,
      spamIn: 9,
      rblRejects: 5,
    })
    expect(spamDistribution).toEqual([
      { score: '0', count: 125 },
      { score: '10', count: 8 },
    ])
  })

  test('[proxmox-api 3.3] before 9.1 clean mail was counted below zero: it is what the other scores leave', async () => {
    const { pass, records } = givenGateway({
      '/statistics/spamscores?starttime=*': [
        { level: 0, count: -3 },
        { level: 10, count: '6' },
      ],
      '/statistics/spamscores': [
        { level: '0', count: -190 },
        { level: 10, count: 4 },
      ],
    })
    await pass(5)
    expect(records('pmg')[0]!.spamDistribution).toEqual([
      { score: '0', count: 114 - 6 + (200 - 4) / 2 },
      { score: '10', count: 8 },
    ])
  })

  test('[proxmox-api 3.2] spam is what was read and found to be spam: hours count what was turned away as well', async () => {
    const { pass, records } = givenGateway()
    await pass(5)
    const { mailStats, mailCount } = records('pmg')[0]!
    const byTheHour = mailCount!.reduce((sum, { spamIn }) => sum + spamIn, 0)
    expect(byTheHour).toBe(9 + 23 * 3)
    expect(mailStats!.spamIn).toBeLessThan(byTheHour)
    expect(mailStats!.spamIn).toBeLessThan(mailStats!.junkIn)
  })

  test('before anything came in yesterday, today is all there is', async () => {
    const { pass, records } = givenGateway({ '/statistics/mail': { count_in: 0, spamcount_in: 0 } })
    await pass(5)
    expect(records('pmg')[0]!.mailStats).toMatchObject({ spamIn: 6, greylistCount: 4, junkIn: 20 })
  })

  test('statistics that fail keep the last figures and say so', async () => {
    const { pass, answers, records, state } = givenGateway()
    await pass(5)
    answers['/statistics/mailcount'] = refusal('server', 'too many entries')
    await pass(120)
    expect(records('pmg')[0]!.mailStats!.updatedAt).toMatch(/^2026-01-01T12:00/)
    expect(state()).toMatchObject({
      health: 'healthy',
      unreadable: [{ what: 'mail statistics', error: 'too many entries' }],
    })
  })
})

test('[facts 2.5] quarantine: attachments are counted and nothing of them is kept', async () => {
  const { pass, records, seen } = givenGateway()
  await pass(5)
  expect(records('pmg')[0]!.quarantine).toEqual({ spam: 8, virus: 2, attachment: 3 })
  expect(JSON.stringify(records('pmg'))).not.toMatch(/private@|ssh-rsa/)
  expect(seen.length).toBeGreaterThan(0)
})

describe('nodes', () => {
  test('[facts 2.6] the members of a cluster with their queues and the age of the oldest mail', async () => {
    const { pass, records } = givenGateway()
    await pass(5)
    expect(records('pmg')[0]!.nodes).toEqual([
      {
        name: 'mail1',
        role: 'master',
        status: 'online',
        startedAt: startMs - 86_400_000,
        loadAvg: '0.10 0.12 0.09',
        queueStatus: {
          total: 8,
          active: 1,
          deferred: 7,
          hold: 0,
          incoming: 0,
          oldestAt: startMs - 40 * minute,
          updatedAt: expect.any(String),
        },
      },
      {
        name: 'mail2',
        role: 'node',
        status: 'online',
        startedAt: startMs - 3_600_000,
        loadAvg: '0.01 0.02 0.03',
        queueStatus: {
          total: 0,
          active: 0,
          deferred: 0,
          hold: 0,
          incoming: 0,
          updatedAt: expect.any(String),
        },
      },
    ])
  })

  test('a member that is down is shown as such, keeps its queues with their age, and is left alone', async () => {
    const { pass, answers, asked, records, state } = givenGateway({
      '/nodes/mail2/postfix/qshape*': aQueue({ '20m': 3 }),
    })
    await pass(5)
    const rows = answers[cluster] as object[]
    answers[cluster] = [
      rows[0],
      { name: 'mail2', type: 'node', conn_error: "500 Can't connect to 192.0.2.42:8006" },
    ]
    await pass(60)
    const before = asked.length
    await pass(180)
    const [, second] = records('pmg')[0]!.nodes!
    expect(second).toMatchObject({
      status: 'offline',
      error: expect.stringMatching(/Can't connect/),
      queueStatus: { total: 12 },
    })
    expect(second!.staleSince).toBe(Date.parse(second!.queueStatus!.updatedAt))
    expect(asked.slice(before).filter((path) => path.includes('/mail2/'))).toEqual([])
    expect(state()).toMatchObject({ health: 'healthy', unreadable: [{ what: 'node mail2' }] })
    answers[cluster] = rows
    await pass(70)
    expect(records('pmg')[0]!.nodes![1]).toMatchObject({ status: 'online' })
    expect(records('pmg')[0]!.nodes![1]).not.toHaveProperty('staleSince')
    expect(state()).not.toHaveProperty('unreadable')
  })

  test('a cluster is known by its master, whichever member is asked', async () => {
    const { pass, answers, records } = givenGateway()
    await pass(5)
    expect(records('pmg')[0]!.cluster).toEqual({ fingerprint: 'AA:01' })
    const [master, other] = answers[cluster] as object[]
    answers[cluster] = [other, { ...master, conn_error: 'no route to host' }]
    await pass(65)
    expect(records('pmg')[0]!.cluster).toEqual({ fingerprint: 'AA:01' })
  })

  test('[facts 2.5] a gateway that is alone is one node', async () => {
    const { pass, records } = givenGateway({
      [cluster]: [{ cid: 0, name: 'mail1', type: '-', uptime: 60, loadavg: ['0.1', '0.1', '0.1'] }],
    })
    await pass(5)
    expect(records('pmg')[0]!.nodes).toMatchObject([{ name: 'mail1', role: 'standalone', status: 'online' }])
    expect(records('pmg')[0]).not.toHaveProperty('cluster')
  })

  test('queues of one node that cannot be read keep their figures, and the other’s are read', async () => {
    const { pass, answers, records, state } = givenGateway()
    await pass(5)
    answers['/nodes/mail1/postfix/qshape?queue=active'] = refusal('timeout', 'no answer in time')
    answers['/nodes/mail2/postfix/qshape*'] = aQueue({ '5m': 1 })
    await pass(120)
    expect(records('pmg')[0]!.nodes).toMatchObject([
      { queueStatus: { total: 8 }, error: 'no answer in time', staleSince: expect.any(Number) },
      { queueStatus: { total: 4 } },
    ])
    expect(state().unreadable).toMatchObject([{ what: 'queues of mail1' }])
  })
})

test('an account without the role says which one it lacks, and is connected', async () => {
  const no = () => refusal('forbidden', 'the account may not read it')
  const { pass, records, state } = givenGateway({
    [cluster]: no(),
    '/nodes': [{ node: 'mail1' }],
    '/statistics/mailcount': no(),
    '/quarantine/spamstatus': no(),
    '/nodes/mail1/postfix/qshape?queue=active': no(),
    '/nodes/mail1/backup': no(),
  })
  await pass(10)
  expect(state().health).toBe('healthy')
  expect(state().unreadable!.map(({ right }) => right)).toEqual(
    Array(state().unreadable!.length).fill('Auditor'),
  )
  expect(state().unreadable!.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['cluster nodes', 'mail statistics', 'quarantine', 'queues', 'backups of mail1']),
  )
  expect(records('pmg')).toMatchObject([{ name: 'main', version: '9.0.6', status: 'online' }])
})

test('[facts 2.6] backups: what a node holds, under its name', async () => {
  const { pass, picture } = givenGateway()
  await pass(5)
  expect([...picture('pmgBackups')]).toEqual([
    [
      'c1:mail1:pmg-backup_2026_01_01_69560000.tgz',
      {
        id: `pmg-main-mail1-${seconds}`,
        instance: 'main',
        node: 'mail1',
        filename: 'pmg-backup_2026_01_01_69560000.tgz',
        backupTime: new Date(seconds * 1000).toISOString(),
        size: 4_096,
        source: 'c1',
      },
    ],
  ])
  const before = picture('pmgBackups')
  await pass(400)
  expect(picture('pmgBackups')).toBe(before)
})

test.each([
  ['monitorMailStats', /statistics\/(mail|recent|spam)/, 'mailStats'],
  ['monitorQuarantine', /quarantine/, 'quarantine'],
] as const)(
  '[spec 2 §3] %s: off, it is neither asked nor shown; on, it is there at once',
  async (flag, path, field) => {
    const { pass, asked, records, running } = givenGateway({}, { flags: { [flag]: false } })
    await pass(90)
    expect(asked.filter((one) => path.test(one))).toEqual([])
    expect(records('pmg')[0]).not.toHaveProperty(field)
    running.apply({ name: 'main', flags: { [flag]: true } })
    await pass(5)
    expect(records('pmg')[0]).toHaveProperty(field)
  },
)

test('[spec 2 §3] monitorQueues: off, nodes are shown without their queues', async () => {
  const { pass, asked, records } = givenGateway({}, { flags: { monitorQueues: false } })
  await pass(90)
  expect(asked.filter((one) => /qshape/.test(one))).toEqual([])
  expect(records('pmg')[0]!.nodes!.map((node) => 'queueStatus' in node)).toEqual([false, false])
})

test('[spec 2 §3] monitorDomainStats: off by default; on, the domains with the most mail of today', async () => {
  const answers = {
    '/statistics/domains?starttime=*': [
      { domain: 'a.example', count_in: '1', count_out: 0, bytes_in: '10.5' },
      { domain: 'b.example', count_in: 5, count_out: 2, spamcount_in: 1, viruscount_in: 0, bytes_out: 3 },
    ],
  }
  const usual = givenGateway(answers)
  await usual.pass(90)
  expect(usual.asked.filter((path) => /domains/.test(path))).toEqual([])
  const { pass, records } = givenGateway(answers, { flags: domainStats })
  await pass(5)
  expect(records('pmg')[0]!.domains).toEqual([
    { domain: 'b.example', countIn: 5, countOut: 2, spamIn: 1, virusIn: 0, bytesIn: 0, bytesOut: 3 },
    { domain: 'a.example', countIn: 1, countOut: 0, spamIn: 0, virusIn: 0, bytesIn: 11, bytesOut: 0 },
  ])
})

test('everything is looked at once a minute', async () => {
  const { pass, asked } = givenGateway({}, { flags: domainStats })
  await pass(30)
  const before = asked.length
  await pass(300)
  const counts = Map.groupBy(asked.slice(before), (path) => path.replace(/starttime=\d+/, 'starttime'))
  for (const [path, asks] of counts)
    expect(asks.length, path).toBeLessThanOrEqual(path.endsWith('/backup') ? 1 : 5)
  expect(counts.get('/quarantine/spamstatus')).toHaveLength(5)
})

test('a gateway that stops answering keeps its figures, as offline and stale', async () => {
  const { pass, answers, records, state } = givenGateway()
  await pass(5)
  answers['/version'] = refusal('unreachable', 'connection refused')
  await pass(240)
  expect(state().health).toBe('error')
  expect(records('pmg')[0]).toMatchObject({
    status: 'offline',
    connectionHealth: 'error',
    mailStats: { countIn: 214 },
  })
  expect(records('pmg')[0]!.staleSince).toBe(state().lastSeen)
})

test('backups of a large cluster come member by member, however short the timeout of a call and small the budget', async () => {
  const members = Array.from({ length: 6 }, (_, n) => `mail${n + 1}`)
  const host = givenGateway({
    [cluster]: members.map((name, n) => ({
      cid: n + 1,
      name,
      type: n === 0 ? 'master' : 'node',
      uptime: 60,
    })),
    '/nodes/*': [{ filename: 'pmg-backup_2026_01_01_69560000.tgz', size: 1, timestamp: seconds }],
  })
  for (const name of members) host.answers[`/nodes/${name}/backup`] = host.answers['/nodes/*']
  delete host.answers['/nodes/*']
  host.pace.timeoutMs = 15_000
  // The part's share of the budget: two calls per minute.
  const isOfBackups = (path: string) => path.endsWith('/backup')
  host.budget.waitMs = (part, now) => {
    if (part !== 'backups') return 0
    return host.asked.filter(isOfBackups).length >= 2 * (1 + Math.floor(now / 60_000)) ? 5_000 : 0
  }
  const holders = () => new Set(host.records('pmgBackups').map(({ node }) => node)).size
  await host.pass(10)
  expect(holders()).toBe(2)
  await host.pass(60)
  expect(holders()).toBe(4)
  await host.pass(60)
  expect(holders()).toBe(6)
})

test('the list of quarantined attachments is fetched seldom, for nothing else counts them', async () => {
  const { pass, asked, records } = givenGateway()
  await pass(5)
  expect(records('pmg')[0]!.quarantine).toMatchObject({ attachment: 3 })
  await pass(3_600)
  const count = (path: string) => asked.filter((one) => one === path).length
  expect(count('/quarantine/attachment')).toBeLessThanOrEqual(4)
  expect(count('/quarantine/spamstatus')).toBeGreaterThan(50)
})
