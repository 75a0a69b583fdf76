import { fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { refusal } from '../proxmox/fixtures-host.ts'
import { aSnapshot, aTask, givenServer, recentTasksPath, seconds } from './fixtures-server.ts'

const iso = (at: number) => new Date(at * 1000).toISOString()

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

  test('the root is the first of the namespaces, and the others are in natural order', async () => {
    const { pass, records } = givenServer({
      '/admin/datastore/main/namespace': ['n10', 'n2', ''].map((ns) => ({ ns })),
    })
    await pass(5)
    expect(records('datastores')[0]!.namespaces!.map(({ path }) => path)).toEqual(['', 'n2', 'n10'])
  })

  test('what is signed, or encrypted in part, is not encrypted', async () => {
    const files = (...modes: string[]) => [
      ...modes.map((mode, n) => ({ filename: `drive-scsi${n}.img.fidx`, 'crypt-mode': mode })),
      { filename: 'index.json.blob', 'crypt-mode': 'sign-only' },
      { filename: 'client.log.blob', 'crypt-mode': 'none' },
    ]
    const { pass, records } = givenServer({
      '/admin/datastore/main/snapshots': () => [
        aSnapshot('100', { files: files('encrypt', 'encrypt') }),
        aSnapshot('101', { files: files('sign-only') }),
        aSnapshot('102', { files: files('encrypt', 'none') }),
      ],
    })
    await pass(5)
    const root = records('pbsBackups').filter(({ namespace, vmid }) => namespace === '' && vmid !== 'nas')
    expect(root.map(({ vmid, encrypted }) => [vmid, encrypted ?? false])).toEqual([
      ['100', true],
      ['101', false],
      ['102', false],
    ])
  })

  test('one that is dated in the future by more than clocks differ says so, until its time has come', async () => {
    const at = Math.floor(fakeClock().now() / 1000)
    const { pass, records } = givenServer({
      '/admin/datastore/main/snapshots': () =>
        [-60, 3_000, 7_200].map((ahead, n) => aSnapshot(`${n}`, { 'backup-time': at + ahead })),
    })
    const ahead = () =>
      records('pbsBackups').flatMap(({ namespace, vmid, future }) =>
        namespace === '' && future ? [vmid] : [],
      )
    await pass(5)
    expect(ahead()).toEqual(['2'])
    await pass(4_200)
    expect(ahead()).toEqual([])
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

  test('a right that is given is noticed within a minute and a half, for all namespaces, at few calls until then', async () => {
    const namespaces = Array.from({ length: 40 }, (_, n) => `n${n}`)
    const { pass, answers, asked, state } = givenServer({
      '/admin/datastore/main/namespace': namespaces.map((ns) => ({ ns })),
      '/admin/datastore/main/snapshots*': refusal('forbidden', 'the account may not read it'),
    })
    await pass(10)
    const before = asked.length
    await pass(180)
    expect(asked.slice(before).filter((path) => /main.snapshots/.test(path)).length).toBeLessThanOrEqual(
      3 * 3,
    )
    answers['/admin/datastore/main/snapshots*'] = []
    await pass(125)
    expect(state()).not.toHaveProperty('unreadable')
  })

  test('when the host is gone, not every namespace is tried, and none is marked', async () => {
    const { pass, answers, asked, records } = givenServer()
    await pass(5)
    for (const path of Object.keys(answers))
      if (/snapshots/.test(path)) answers[path] = refusal('unreachable', 'connection refused')
    const before = asked.length
    await pass(320)
    const tried = asked.slice(before).filter((path) => /snapshots/.test(path))
    expect(new Set(tried)).toEqual(new Set(['/admin/datastore/main/snapshots']))
    expect(records('pbsBackups')).toHaveLength(4)
    expect(records('datastores')[0]!.namespaces!.filter(({ error }) => error !== undefined)).toEqual([])
  })

  test('one that hangs is looked at last from then on', async () => {
    const { pass, answers, asked } = givenServer({
      '/admin/datastore/main/snapshots': refusal('timeout', 'no answer in time'),
    })
    await pass(70)
    const before = asked.length
    answers[recentTasksPath] = [aTask('prunejob', 'main:p-2', { status: 'OK', endtime: seconds })]
    await pass(65)
    const looks = asked.slice(before).filter((path) => /main.snapshots/.test(path))
    expect(looks.slice(-3)).toEqual([
      '/admin/datastore/main/snapshots?ns=team',
      '/admin/datastore/main/snapshots?ns=team%2Fprod',
      '/admin/datastore/main/snapshots',
    ])
  })

  test('a namespace that is hidden all at once keeps its backups, and says which right is missing', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    answers['/admin/datastore/main/namespace'] = [{ ns: '' }, { ns: 'team/prod' }]
    answers['/admin/datastore/main/snapshots?ns=team'] = refusal('forbidden', 'the account may not read it')
    await pass(400)
    expect(records('pbsBackups').filter(({ namespace }) => namespace === 'team')).toHaveLength(1)
    expect(state().unreadable).toMatchObject([{ what: 'namespace main/team', right: 'Datastore.Audit' }])
  })

  test('where only a namespace is open to the account, that one is read', async () => {
    const { pass, records, state } = givenServer({
      '/status/datastore-usage': [{ store: 'main' }],
      '/admin/datastore/main/namespace': [{ ns: 'team' }],
    })
    await pass(5)
    expect(records('pbsBackups').map(({ namespace }) => namespace)).toEqual(['team'])
    expect(records('datastores')).toMatchObject([{ name: 'main', status: 'denied' }])
    expect(state().unreadable).toMatchObject([{ what: 'datastore main', right: 'Datastore.Audit' }])
  })

  test('a namespace or a datastore that is gone takes its backups along', async () => {
    const { pass, answers, records } = givenServer()
    await pass(5)
    answers['/admin/datastore/main/namespace'] = [{ ns: '' }]
    answers['/admin/datastore/main/snapshots?ns=team'] = refusal('server', 'namespace not found')
    answers['/admin/datastore/main/snapshots?ns=team%2Fprod'] = refusal('server', 'namespace not found')
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
    const { pass, pace, asked, records, state } = givenServer()
    delete pace.backupsMs
    await pass(600)
    expect(asked.filter((path) => /snapshots|namespace/.test(path))).toEqual([])
    expect(records('pbsBackups')).toEqual([])
    expect(state().switchedOff).toEqual(['backupPolling'])
    pace.backupsMs = 900_000
    await pass(1_000)
    expect(asked.filter((path) => path === '/admin/datastore/offsite/snapshots').length).toBeLessThanOrEqual(
      2,
    )
    expect(records('pbsBackups')).toHaveLength(4)
  })

  test('many backups are shown in steps that yield to the event loop', async () => {
    const many = Array.from({ length: 5_500 }, (_, n) => aSnapshot(String(n)))
    const { pass, seen, records } = givenServer({ '/admin/datastore/offsite/snapshots': many })
    await pass(20)
    expect(records('pbsBackups')).toHaveLength(5_503)
    const sizes = [...new Set(seen.map(({ records: all }) => all.pbsBackups?.size ?? 0))]
    const growth = sizes.map((size, n) => size - (sizes[n - 1] ?? 0))
    expect(Math.max(...growth)).toBeLessThanOrEqual(1_000)
  })
})
