import { PlainState, recordSchemas, type RecordKind } from '@pulse/contract'
import { type Observation, toPlain } from '@pulse/domain'
import { aMeta } from '@pulse/testkit'
import { expect, test, type TestContext } from 'vitest'
import { createState } from '../../state/state.ts'
import { givenHosts, stateOf, token } from '../proxmox/fixtures.ts'

const pbs = ({ seen }: { seen: Observation[] }) => {
  const records = seen.at(-1)?.records ?? {}
  return {
    server: records.pbs?.get('c1'),
    datastore: (name: string) => records.datastores?.get(`c1:${name}`),
    backups: [...(records.pbsBackups?.values() ?? [])],
  }
}

async function watched(
  context: TestContext,
  change: Parameters<Awaited<ReturnType<typeof givenHosts>>['start']>[1] = {},
) {
  const here = await givenHosts(context, { factor: 40, guests: 20 })
  const source = here.start('pbs', change)
  const read = () => pbs(source)
  const isRead = (name: string) =>
    read()
      .datastore(name)
      ?.namespaces?.every(({ backups }) => backups !== undefined) ?? false
  return {
    ...here,
    source,
    read,
    isRead,
    state: () => stateOf(source),
  }
}

test.concurrent(
  '[facts 2.2] a whole server: all of it understood, all of it within the schema',
  async (context) => {
    const { until, read, isRead, source, state } = await watched(context)
    await until('its backups', () => isRead('main') && isRead('offsite'), 60)
    const { server, datastore, backups } = read()
    expect(server).toMatchObject({
      name: 'main',
      version: '4.0.14',
      status: 'online',
      memoryTotal: expect.any(Number),
    })
    expect(server!.verifyJobs.map(({ id }) => id).toSorted()).toEqual(['v-main-daily', 'v-offsite-weekly'])
    expect(server!.syncJobs.map(({ id }) => id).toSorted()).toEqual(['s-local-copy', 's-push-cloud'])
    expect(server!.pruneJobs.map(({ id, status }) => [id, status === 'disabled']).toSorted()).toEqual([
      ['s-main-keep', false],
      ['s-offsite-keep', true],
    ])
    expect(
      server!.garbageJobs.map(({ store, lastGarbage }) => [store, typeof lastGarbage]).toSorted(),
    ).toEqual([
      ['main', 'string'],
      ['offsite', 'string'],
    ])
    expect(datastore('main')).toMatchObject({ status: 'available', deduplicationFactor: expect.any(Number) })
    const held = datastore('main')!.namespaces!.reduce((sum, one) => sum + one.backups!, 0)
    expect(backups.filter((one) => one.datastore === 'main')).toHaveLength(held)
    expect(held).toBeGreaterThan(20)
    expect(backups.some(({ verified }) => verified)).toBe(true)
    expect(state()).not.toHaveProperty('unreadable')
    for (const [kind, records] of Object.entries(source.seen.at(-1)!.records))
      for (const record of records.values())
        expect(recordSchemas[kind as RecordKind].safeParse(record).error).toBeUndefined()
  },
)

test.concurrent('[facts 2.2] snapshots are asked once per namespace, one call at a time', async (context) => {
  const { lab, until, isRead, read, source } = await watched(context)
  await until('its backups', () => isRead('main') && isRead('offsite'), 60)
  const namespaces = ['main', 'offsite'].flatMap((name) => read().datastore(name)!.namespaces!)
  expect(lab.requests({ path: '/admin/datastore/*/snapshots' }).total).toBe(namespaces.length)
  expect(source.running.calls().parts.map(({ part }) => part)).toContain('snapshots')
})

test.concurrent('[design 9] in any minute each part asks no more than its share', async (context) => {
  const { until, isRead, pass, source } = await watched(context)
  await until('its backups', () => isRead('main') && isRead('offsite'), 60)
  for (let minute = 0; minute < 3; minute++) {
    await pass(60)
    for (const { part, callsPerMinute, budgetPerMinute } of source.running.calls().parts)
      // A rhythm that is a moment early looks like one call more.
      expect(callsPerMinute, part).toBeLessThanOrEqual(Math.ceil(budgetPerMinute) + 1)
  }
})

test.concurrent('[facts 4.6] it has the documented form', async (context) => {
  const { lab, clock, source, start, until, isRead } = await watched(context)
  const gateway = start('pmg', { id: 'c2' })
  await until('its backups', () => isRead('main') && isRead('offsite'), 60)
  await until('the gateway', () => gateway.seen.at(-1)?.records.pmg?.get('c2')?.mailStats !== undefined, 60)
  const state = createState(aMeta())
  for (const { seen } of [source, gateway]) state.observe(seen.at(-1)!)
  const plain = toPlain(state.tables, state.meta, clock.now())
  expect(PlainState.safeParse(plain).error).toBeUndefined()
  expect(plain.pbs[0]).toMatchObject({ id: 'pbs-main', backupJobs: [], uptime: expect.any(Number) })
  expect(plain.pbs[0]!.datastores.map(({ name }) => name)).toEqual(['main', 'offsite'])
  expect(plain.pmg[0]!.nodes![0]).toMatchObject({ name: lab.pmg[0]!.name, uptime: expect.any(Number) })
  expect(plain.pmg[0]!.nodes![0]!.queueStatus).toMatchObject({ oldestAge: expect.any(Number) })
  expect(plain.connectionHealth).toEqual({ 'pbs-main': true, 'pmg-main': true })
})

test.concurrent('a datastore that fails keeps its figures and its backups, and says why', async (context) => {
  const { lab, until, isRead, read, source, state } = await watched(context)
  await until('its backups', () => isRead('main') && isRead('offsite'), 60)
  const before = read()
  const error = 'unable to open chunk store'
  await lab.control.patchAppliance('pbs1', { datastores: { offsite: { error } } })
  source.running.refresh()
  await until('the error', () => read().datastore('offsite')?.status === 'error', 60)
  expect(read().datastore('offsite')).toMatchObject({ error, total: before.datastore('offsite')!.total })
  expect(read().datastore('offsite')!.staleSince).toBeDefined()
  expect(read().backups).toHaveLength(before.backups.length)
  expect(state()).toMatchObject({ health: 'healthy', unreadable: [{ what: 'datastore offsite', error }] })
})

test.concurrent(
  'a right that is taken away on one datastore is named with it, and granted again it is well',
  async (context) => {
    const { lab, until, isRead, read, source, state } = await watched(context)
    await until('its backups', () => isRead('main') && isRead('offsite'), 60)
    const { tokenId } = lab.pbs[0]!.credentials
    const drop = (rights: string[]) =>
      lab.control.patchAppliance('pbs1', { tokens: { [tokenId]: { drop: rights } } })
    await drop(['Datastore.Audit@/datastore/offsite'])
    source.running.refresh()
    await until('the missing right', () => read().datastore('offsite')?.status === 'denied', 60)
    expect(state().unreadable).toContainEqual({
      what: 'datastore offsite',
      error: 'Datastore.Audit is missing on /datastore/offsite',
      right: 'Datastore.Audit',
      since: expect.any(Number),
    })
    await drop([])
    source.running.refresh()
    await until('the end of it', () => state().unreadable === undefined, 60)
    expect(read().datastore('offsite')).toMatchObject({ status: 'available' })
  },
)

test.concurrent('an account that audits one datastore shows that one, without an error', async (context) => {
  const here = await givenHosts(context, { factor: 40, guests: 20 })
  const { tokenId, tokenSecret } = here.lab.pbs[0]!.credentials.narrow
  const source = here.start('pbs', { auth: token(tokenId, tokenSecret) })
  await here.until('its datastore', () => (source.seen.at(-1)?.records.pbsBackups?.size ?? 0) > 0, 60)
  expect([...source.seen.at(-1)!.records.datastores!.keys()]).toEqual(['c1:main'])
  expect(stateOf(source).health).toBe('healthy')
  expect(stateOf(source).unreadable!.map(({ right }) => right)).toEqual(expect.arrayContaining(['Sys.Audit']))
})

test.concurrent('one answer that never ends holds up no other', async (context) => {
  const { lab, until, read, state, pass } = await watched(context)
  lab.control.addFault({
    kind: 'dribble',
    node: 'pbs1',
    path: '/admin/datastore/offsite/snapshots',
    bytesPerSecond: 5,
  })
  await until(
    'the others',
    () =>
      read()
        .datastore('main')
        ?.namespaces?.every(({ backups }) => backups !== undefined) ?? false,
    60,
  )
  await pass(5)
  expect(read().server).toMatchObject({ connectionHealth: 'healthy' })
  expect(read().datastore('offsite')).toMatchObject({ status: 'available' })
  expect(state().health).toBe('healthy')
})

test.concurrent('a flood is cut off, and what was known stays', async (context) => {
  const { lab, until, isRead, read, source, state } = await watched(context)
  await until('its backups', () => isRead('main') && isRead('offsite'), 60)
  const before = read().backups.length
  lab.control.addFault({ kind: 'huge', node: 'pbs1', path: '/admin/verify', bytes: 64 * 1024 * 1024 })
  source.running.refresh()
  await until(
    'the refusal',
    () => state().unreadable?.some(({ what }) => what === 'verify jobs') ?? false,
    60,
  )
  expect(state().unreadable![0]!.error).toMatch(/larger than/)
  expect(read().server!.verifyJobs).toHaveLength(2)
  expect(read().backups).toHaveLength(before)
})
