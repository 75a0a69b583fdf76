import { describe, expect, test } from 'vitest'
import { refusal } from '../proxmox/given-host.ts'
import { aSnapshot, aTask, failedTasksPath, givenServer, recentTasksPath, seconds } from './given-server.ts'
import { parts } from './parts.ts'

const iso = (at: number) => new Date(at * 1000).toISOString()

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

  test('an account that may see no datastore at all is told which right is missing', async () => {
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

describe('jobs', () => {
  test('[facts 2.3] each with its last run, its next, and what went wrong', async () => {
    const { pass, records } = givenServer()
    await pass(5)
    const { syncJobs, verifyJobs, pruneJobs, garbageJobs } = records('pbs')[0]!
    expect(syncJobs).toEqual([
      {
        id: 's-1',
        store: 'main',
        namespace: 'team',
        remote: 'other',
        remoteStore: 'theirs',
        schedule: 'hourly',
        status: 'failed',
        error: 'connection refused',
        lastSync: iso(seconds),
        nextRun: iso(seconds + 3_600),
      },
    ])
    expect(verifyJobs).toEqual([
      { id: 'v-1', store: 'main', status: 'warning', error: 'WARNINGS: 2', lastVerify: iso(seconds) },
      { id: 'v-2', store: 'main', status: 'running' },
      { id: 'v-3', store: 'offsite', status: 'unknown' },
    ])
    expect(pruneJobs).toEqual([
      { id: 'p-1', store: 'main', status: 'disabled' },
      { id: 'p-2', store: 'main', status: 'ok', lastPrune: iso(seconds) },
    ])
    expect(garbageJobs).toEqual([
      {
        id: 'main',
        store: 'main',
        status: 'ok',
        schedule: 'daily',
        lastGarbage: iso(seconds),
        nextRun: iso(seconds + 86_400),
        removedBytes: 8_123,
        pendingBytes: 7,
        durationSeconds: 142,
      },
      { id: 'offsite', store: 'offsite', status: 'unknown' },
    ])
  })

  test('[proxmox-api 4] a server that refuses to be asked for all directions is asked without', async () => {
    const { pass, asked, records } = givenServer({
      '/admin/sync?sync-direction=all': refusal('server', '400 parameter verification errors'),
      '/admin/sync': [{ id: 's-2', store: 'main', 'sync-direction': 'pull' }],
    })
    await pass(150)
    expect(records('pbs')[0]!.syncJobs).toMatchObject([{ id: 's-2', direction: 'pull' }])
    expect(asked.filter((path) => path.includes('sync-direction'))).toHaveLength(1)
  })

  test('one list that cannot be read leaves the others alone, keeps its rows and says so', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    answers['/admin/verify'] = refusal('timeout', 'no answer in time')
    await pass(120)
    expect(records('pbs')[0]!.verifyJobs).toHaveLength(3)
    expect(state().unreadable).toMatchObject([{ what: 'verify jobs', error: 'no answer in time' }])
    answers['/admin/verify'] = []
    await pass(300)
    expect(records('pbs')[0]!.verifyJobs).toEqual([])
    expect(state()).not.toHaveProperty('unreadable')
  })
})

test('what failed on the server lately is shown with its error, warnings are not', async () => {
  const { pass, records } = givenServer({
    [failedTasksPath]: [
      aTask('backup', 'main:vm/100', { status: 'ENOSPC', endtime: seconds + 60 }),
      aTask('verificationjob', 'main:v-1', { status: 'WARNINGS: 2', endtime: seconds + 60 }),
    ],
  })
  await pass(5)
  expect(records('pbs')[0]!.failedTasks).toEqual([
    {
      id: expect.stringMatching(/^UPID/),
      type: 'backup',
      store: 'main',
      subject: 'main:vm/100',
      startTime: iso(seconds),
      endTime: iso(seconds + 60),
      error: 'ENOSPC',
    },
  ])
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

describe('backups', () => {
  test('[facts 2.3] each snapshot, and what it says of itself', async () => {
    const { pass, records } = givenServer({
      '/admin/datastore/main/snapshots': [
        aSnapshot('100', {
          comment: 'web',
          protected: true,
          verification: { state: 'ok', upid: 'x' },
          files: [{ filename: 'a.img.fidx', 'crypt-mode': 'encrypt' }, 'index.json.blob'],
        }),
        aSnapshot('101', { 'backup-type': 'ct', verification: { state: 'failed', upid: 'x' } }),
        aSnapshot('102', { size: undefined, files: [] }),
      ],
    })
    await pass(5)
    const [first, second, ...others] = records('pbsBackups')
    expect(first).toEqual({
      id: `pbs-main-main--vm-100-${seconds}`,
      instance: 'main',
      datastore: 'main',
      namespace: '',
      backupType: 'vm',
      vmid: '100',
      backupTime: iso(seconds),
      size: 5_000,
      protected: true,
      verified: true,
      verification: 'ok',
      encrypted: true,
      comment: 'web',
      files: ['a.img.fidx', 'index.json.blob'],
      owner: 'pve@pbs!token',
      source: 'c1',
    })
    expect(second).toMatchObject({ backupType: 'ct', verified: false, verification: 'failed' })
    expect(others.map(({ vmid }) => vmid)).toEqual(['100', 'nas'])
  })

  test('[facts 6.5] equal numbers in two namespaces and two datastores are different backups', async () => {
    const { pass, picture } = givenServer({ '/admin/datastore/offsite/snapshots': [aSnapshot('100')] })
    await pass(5)
    const keys = [...picture('pbsBackups')].filter(([, { vmid }]) => vmid === '100').map(([key]) => key)
    expect(keys).toEqual([
      `c1:main::vm:100:${iso(seconds)}`,
      `c1:main:team:vm:100:${iso(seconds)}`,
      `c1:offsite::vm:100:${iso(seconds)}`,
    ])
  })

  test('once per namespace and five minutes; what did not change is the same record in the same picture', async () => {
    const { pass, asked, picture } = givenServer()
    await pass(5)
    const before = picture('pbsBackups')
    await pass(330)
    expect(asked.filter((path) => path === '/admin/datastore/main/snapshots?ns=team')).toHaveLength(2)
    expect(picture('pbsBackups')).toBe(before)
  })

  test('a verification changes that one record alone', async () => {
    const { pass, answers, picture } = givenServer()
    await pass(5)
    const before = picture('pbsBackups')
    answers['/admin/datastore/main/snapshots'] = [
      aSnapshot('100', { verification: { state: 'ok' } }),
      aSnapshot('101'),
    ]
    await pass(360)
    const after = picture('pbsBackups')
    const changed = [...after].filter(([key, record]) => before.get(key) !== record)
    expect(changed.map(([, { vmid, namespace }]) => [vmid, namespace])).toEqual([['100', '']])
  })

  test('a task that ended on a datastore makes it look there at once', async () => {
    const { pass, answers, asked, records } = givenServer()
    await pass(70)
    answers['/admin/datastore/offsite/snapshots'] = []
    answers[recentTasksPath] = [aTask('prunejob', 'offsite:p-2', { status: 'OK', endtime: seconds })]
    const before = asked.length
    await pass(65)
    expect(asked.slice(before).filter((path) => /snapshots/.test(path))).toEqual([
      '/admin/datastore/offsite/snapshots',
    ])
    expect(records('pbsBackups').some(({ datastore }) => datastore === 'offsite')).toBe(false)
    await pass(60)
    expect(asked.slice(before).filter((path) => /snapshots/.test(path))).toHaveLength(1)
  })

  test('a namespace that does not answer keeps what it held, is marked, and delays no other', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    const rightAt = state().lastSeen!
    answers['/admin/datastore/main/snapshots?ns=team'] = refusal('timeout', 'no answer within 300 s')
    answers['/admin/datastore/offsite/snapshots'] = []
    await pass(330)
    expect(records('pbsBackups').map(({ datastore, namespace }) => [datastore, namespace])).toEqual([
      ['main', ''],
      ['main', ''],
      ['main', 'team'],
    ])
    const [, team] = records('datastores')[0]!.namespaces!
    expect(team).toMatchObject({ path: 'team', backups: 1, error: 'no answer within 300 s' })
    expect(team!.staleSince).toBeCloseTo(rightAt, -3)
    expect(state().unreadable).toMatchObject([{ what: 'namespace main/team' }])
    answers['/admin/datastore/main/snapshots?ns=team'] = []
    await pass(400)
    expect(records('datastores')[0]!.namespaces![1]).toEqual({
      path: 'team',
      parent: '',
      depth: 0,
      backups: 0,
    })
    expect(state()).not.toHaveProperty('unreadable')
  })

  test('a namespace that the account may not see says which right is missing', async () => {
    const { pass, state } = givenServer({
      '/admin/datastore/main/snapshots?ns=team': refusal('forbidden', 'the account may not read it'),
    })
    await pass(5)
    expect(state().unreadable).toMatchObject([{ what: 'namespace main/team', right: 'Datastore.Audit' }])
  })

  test('a namespace or a datastore that is gone takes its backups along', async () => {
    const { pass, answers, records } = givenServer()
    await pass(5)
    answers['/admin/datastore/main/namespace'] = [{ ns: '' }]
    answers['/status/datastore-usage'] = [{ store: 'main', total: 10, used: 4, avail: 6 }]
    await pass(400)
    expect(records('pbsBackups').map(({ datastore, namespace }) => [datastore, namespace])).toEqual([
      ['main', ''],
      ['main', ''],
    ])
  })

  test('[proxmox-api 4] a server without namespaces has all in its root', async () => {
    const { pass, records } = givenServer({ '/admin/datastore/main/namespace': refusal('not_found') })
    await pass(5)
    expect(records('datastores')[0]!.namespaces).toEqual([{ path: '', depth: 0, backups: 2 }])
  })

  test('renamed, the backups bear the new name and keep their identity', async () => {
    const { pass, running, picture } = givenServer()
    await pass(5)
    const keys = [...picture('pbsBackups').keys()]
    running.apply({ name: 'other', flags: {} })
    await pass(60)
    expect([...picture('pbsBackups').keys()]).toEqual(keys)
    expect([...picture('pbsBackups').values()].every(({ instance }) => instance === 'other')).toBe(true)
    expect([...picture('datastores').values()].every(({ server }) => server === 'pbs-other')).toBe(true)
  })

  test('[spec 2 §3] backup polling off: none are read and none shown; a longer interval is kept', async () => {
    const { pass, pace, asked, records } = givenServer()
    delete pace.backupsMs
    await pass(600)
    expect(asked.filter((path) => /snapshots|namespace/.test(path))).toEqual([])
    expect(records('pbsBackups')).toEqual([])
    pace.backupsMs = 900_000
    await pass(1_000)
    expect(asked.filter((path) => path === '/admin/datastore/offsite/snapshots').length).toBeLessThanOrEqual(
      2,
    )
    expect(records('pbsBackups')).toHaveLength(4)
  })

  test('many backups are shown in portions, each of which leaves the others their turn', async () => {
    const many = Array.from({ length: 5_500 }, (_, n) => aSnapshot(String(n)))
    const { pass, seen, records } = givenServer({ '/admin/datastore/offsite/snapshots': many })
    await pass(20)
    expect(records('pbsBackups')).toHaveLength(5_503)
    const sizes = [...new Set(seen.map(({ records: all }) => all.pbsBackups?.size ?? 0))]
    const growth = sizes.map((size, n) => size - (sizes[n - 1] ?? 0))
    expect(Math.max(...growth)).toBeLessThanOrEqual(1_000)
  })
})
