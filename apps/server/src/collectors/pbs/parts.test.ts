import { describe, expect, test } from 'vitest'
import { refusal } from '../proxmox/fixtures-host.ts'
import { givenServer } from './fixtures-server.ts'
import { parts } from './parts.ts'

test('parts have names of their own, and each kind of record comes from one of them', () => {
  const kinds = parts.flatMap(({ kinds: own = [] }) => own)
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length)
  expect(kinds.toSorted()).toEqual(['datastores', 'pbs', 'pbsBackups'])
})

describe('the server', () => {
  test('[facts 2.3] its figures, its version and where it is', async () => {
    const { pass, records } = givenServer()
    await pass(5)
    expect(records('pbs')).toMatchObject([
      {
        id: 'pbs-main',
        name: 'main',
        host: 'https://host.example:8007',
        version: '4.0.14',
        status: 'online',
        connectionHealth: 'healthy',
        cpu: 0.25,
        memory: 25,
        memoryUsed: 4_000,
        memoryTotal: 16_000,
        startedAt: Date.UTC(2025, 11, 31, 12),
        backupJobs: [],
        source: 'c1',
      },
    ])
  })

  test('[facts 2.2] without Sys.Audit its figures are unknown, which is said with the right, and no error', async () => {
    const { pass, records, state } = givenServer({
      '/nodes/localhost/status': refusal('forbidden', 'the account may not read it'),
    })
    await pass(5)
    const [server] = records('pbs')
    expect(server).not.toHaveProperty('cpu')
    expect(server).not.toHaveProperty('memoryUsed')
    expect(server!.withheld).toMatch(/Sys.Audit/)
    expect(state()).toMatchObject({
      health: 'healthy',
      unreadable: [{ what: 'server status', right: 'Sys.Audit' }],
    })
    expect(state()).not.toHaveProperty('error')
  })

  test('figures are looked at every minute, and it keeps its record while nothing changes', async () => {
    let uptime = 86_400
    const { pass, asked, seen, picture } = givenServer({
      '/nodes/localhost/status': () => ({ cpu: 0.25, uptime: (uptime += 60) }),
    })
    await pass(30)
    const [before, looks] = [picture('pbs'), seen.length]
    await pass(300)
    expect(asked.filter((path) => path === '/nodes/localhost/status')).toHaveLength(6)
    expect(seen.length).toBeGreaterThan(looks)
    expect(picture('pbs')).toBe(before)
    expect(picture('datastores').get('c1:main')).toBe(seen[looks - 1]!.records.datastores!.get('c1:main'))
  })

  test('when nothing comes from it any more, what was known stays and is marked', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(30)
    answers['/version'] = refusal('unreachable', 'connection refused')
    await pass(240)
    expect(state()).toMatchObject({
      health: 'error',
      error: 'connection refused',
      staleSince: expect.any(Number),
    })
    expect(records('pbs')).toMatchObject([{ memoryUsed: 4_000, connectionHealth: 'error' }])
    expect(records('pbs')[0]!.staleSince).toBe(state().lastSeen)
    expect(records('datastores').every(({ staleSince }) => staleSince === state().lastSeen)).toBe(true)
    expect(records('pbsBackups')).toHaveLength(4)
  })
})

describe('datastores', () => {
  test('[facts 2.3] capacity, deduplication, when it will be full, and namespaces', async () => {
    const { pass, records } = givenServer()
    await pass(5)
    expect(records('datastores')).toEqual([
      {
        server: 'pbs-main',
        name: 'main',
        total: 1_000,
        used: 400,
        free: 550,
        usage: 40,
        status: 'available',
        deduplicationFactor: 3,
        fullAt: 1_800_000_000_000,
        namespaces: [
          { path: '', depth: 0, backups: 2 },
          { path: 'team', parent: '', depth: 0, backups: 1 },
          { path: 'team/prod', parent: 'team', depth: 1, backups: 0 },
        ],
        source: 'c1',
      },
      {
        server: 'pbs-main',
        name: 'offsite',
        total: 2_000,
        used: 500,
        free: 1_500,
        usage: 25,
        status: 'available',
        namespaces: [{ path: '', depth: 0, backups: 1 }],
        source: 'c1',
      },
    ])
  })

  const broken = { store: 'main', total: 0, used: 0, avail: 0, error: 'unable to open chunk store' }
  test.each([
    ['that fails', broken, 'error', /unable to open chunk store/, undefined],
    [
      'in maintenance',
      { ...broken, error: 'datastore is in maintenance mode' },
      'maintenance',
      /mode/,
      undefined,
    ],
    [
      'that is not mounted',
      { store: 'main', 'mount-status': 'notmounted' },
      'unmounted',
      /not mounted/,
      undefined,
    ],
    [
      'that the account may not see',
      { store: 'main' },
      'denied',
      /Datastore.Audit .*main/,
      'Datastore.Audit',
    ],
  ])('one %s keeps its figures and its backups, and says why', async (_what, row, status, error, right) => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    const rightAt = state().lastSeen!
    answers['/status/datastore-usage'] = [row]
    answers['/admin/datastore/offsite/status'] = refusal('not_found')
    await pass(360)
    expect(records('datastores')).toMatchObject([
      { name: 'main', total: 1_000, used: 400, status, error: expect.stringMatching(error) },
    ])
    expect(records('datastores')[0]!.staleSince).toBeCloseTo(rightAt, -3)
    expect(records('pbsBackups').map(({ datastore }) => datastore)).toEqual(['main', 'main', 'main'])
    const [entry] = state().unreadable!
    expect(entry).toMatchObject({ what: 'datastore main', error: expect.stringMatching(error) })
    expect(entry!.right).toBe(right)
    expect(state().health).toBe('healthy')
  })

  test('one that was removed goes; one that is hidden all at once stays, with the right that is missing', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    answers['/status/datastore-usage'] = []
    answers['/admin/datastore/main/status'] = refusal('forbidden')
    answers['/admin/datastore/offsite/status'] = refusal('server', 'no such datastore')
    await pass(120)
    expect(records('datastores')).toMatchObject([{ name: 'main', status: 'denied', used: 400 }])
    expect(records('pbsBackups').map(({ datastore }) => datastore)).toEqual(['main', 'main', 'main'])
    expect(state().unreadable).toMatchObject([{ what: 'datastore main', right: 'Datastore.Audit' }])
  })

  test('[facts 2.3] before the first garbage collection there is no deduplication factor', async () => {
    const { pass, records } = givenServer()
    await pass(5)
    expect(records('datastores')[1]).not.toHaveProperty('deduplicationFactor')
  })

  test('[proxmox-api 4] before 3.2 garbage collection is asked for one datastore after the other', async () => {
    const { pass, records } = givenServer({
      '/admin/gc': refusal('not_found'),
      '/admin/datastore/main/gc': { 'index-data-bytes': 10, 'disk-bytes': 4, 'removed-bytes': 1, upid: 'x' },
      '/admin/datastore/offsite/gc': refusal('forbidden'),
    })
    await pass(5)
    expect(records('datastores')[0]!.deduplicationFactor).toBe(2.5)
    expect(records('pbs')[0]!.garbageJobs).toMatchObject([
      { store: 'main', removedBytes: 1, status: 'unknown' },
    ])
  })

  test('an account that may see no datastore at all gets the name of the missing right', async () => {
    const { pass, state } = givenServer({
      '/status/datastore-usage': [],
      '/access/permissions': { '/system': { 'Sys.Audit': 1 } },
    })
    await pass(5)
    expect(state().unreadable).toMatchObject([
      { right: 'Datastore.Audit', error: expect.stringMatching(/backups will not appear/) },
    ])
  })
})

test('a datastore that the account may not see from the first, while it sees all others, is named', async () => {
  const audit = { 'Sys.Audit': 1, 'Datastore.Audit': 1 }
  const { pass, state } = givenServer({
    '/access/permissions': {
      '/': audit,
      '/datastore': audit,
      '/datastore/secret': { 'Datastore.Backup': 1 },
    },
  })
  await pass(5)
  expect(state().unreadable).toMatchObject([
    { what: 'hidden datastore secret', right: 'Datastore.Audit', error: expect.stringMatching(/secret/) },
  ])
})

test('[R7] one that does not answer is unreachable in all its records, at every moment', async () => {
  const { answers, pass, records, state } = givenServer()
  await pass(5)
  answers['/version'] = refusal('unreachable', 'no way to it')
  const shown = new Set<string>()
  for (let second = 0; second < 200; second += 5) {
    await pass(5)
    const [server] = records('pbs')
    shown.add(`${state().health} ${server!.connectionHealth} ${server!.staleSince !== undefined}`)
  }
  expect([...shown]).toEqual(['healthy healthy false', 'error error true'])
})

test.each([
  ['monitorSyncJobs', '/admin/sync', 'syncJobs'],
  ['monitorVerifyJobs', '/admin/verify', 'verifyJobs'],
  ['monitorPruneJobs', '/admin/prune', 'pruneJobs'],
  ['monitorGarbageJobs', '/admin/gc', 'garbageJobs'],
] as const)(
  '[spec 2 §3] %s: off, nothing of it is shown; switched on it is there at once',
  async (flag, path, jobs) => {
    const { pass, asked, records, running } = givenServer({}, { flags: { [flag]: false } })
    await pass(90)
    expect(records('pbs')[0]![jobs]).toEqual([])
    if (flag !== 'monitorGarbageJobs') expect(asked.some((one) => one.startsWith(path))).toBe(false)
    running.apply({ name: 'main', flags: { [flag]: true } })
    await pass(5)
    expect(records('pbs')[0]![jobs].length).toBeGreaterThan(0)
  },
)

test('[spec 2 §3] monitorDatastores off: neither datastores nor backups are read or shown', async () => {
  const { pass, asked, records } = givenServer({}, { flags: { monitorDatastores: false } })
  await pass(400)
  expect(asked.filter((path) => /datastore/.test(path))).toEqual([])
  expect([...records('datastores'), ...records('pbsBackups')]).toEqual([])
  expect(records('pbs')[0]!.syncJobs).toHaveLength(1)
})
