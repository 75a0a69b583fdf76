import type { AnyRecord, NodeChange, RecordKind, SourceKind } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { aMeta } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test, type TestContext } from 'vitest'
import { collectors } from '../collectors/index.ts'
import { givenHosts, password } from '../collectors/proxmox/fixtures.ts'
import { usualPace } from '../collectors/source.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'
import { createConnections } from './connections.ts'

/** A port without a listener. */
const nowhere = 'https://127.0.0.1:9'

/** The kinds that each source shows while it answers. */
const shownBy = {
  pve: ['nodes', 'guests', 'storage'],
  pbs: ['pbs', 'datastores', 'pbsBackups'],
  pmg: ['pmg'],
} as const satisfies Record<SourceKind, readonly RecordKind[]>

/** One connection of the given kind, watched by the real collectors, after it has shown all its records. */
async function watched(context: TestContext, kind: SourceKind, by: 'token' | 'password') {
  const hosts = await givenHosts(context, { factor: 40, guests: 4 })
  const accounts = {
    pve: hosts.lab.credentials,
    pbs: hosts.lab.pbs[0]!.credentials.monitor,
    pmg: hosts.lab.pmg[0]!.credentials.auditor,
  }
  const { user, password: secret } = accounts[kind]
  const connection = hosts.connection(kind, by === 'password' ? { auth: password(user, secret) } : {})
  const stored = new Map<string, Connection>([[connection.id, connection]])
  const put = (one: Connection) => Promise.resolve(void stored.set(one.id, one))
  const store: ConnectionStore = {
    all: () => Promise.resolve([...stored.values()]),
    insert: put,
    update: put,
    learned: put,
    remove: (id) => Promise.resolve(void stored.delete(id)),
    replacing: () => [],
  }
  const state = createState(aMeta())
  const area = createConnections({
    store,
    collectors,
    state,
    clock: hosts.clock,
    log: pino({ level: 'silent' }),
    publish: () => {},
    onWrite: () => {},
    pace: () => usualPace,
  })
  context.onTestFinished(() => area.stop())
  await area.start()
  const source = () => state.tables.sources.get('c1')
  const shown = (): AnyRecord[] =>
    shownBy[kind].flatMap((one) => [...(state.tables[one] as ReadonlyMap<string, AnyRecord>).values()])
  const isWhole = () =>
    shownBy[kind].every((one) => state.tables[one].size > 0) &&
    shown().every((one) => !('staleSince' in one && one.staleSince !== undefined))
  const isWell = () => source()?.health === 'healthy' && isWhole()
  await hosts.until('the first answers', isWell, 60)
  return { ...hosts, area, state, stored, connection, source, shown, isWell, secret }
}

/** Every record says since when it is stale, and no record calls its source healthy. */
function expectStale({ shown, source }: Awaited<ReturnType<typeof watched>>) {
  const states = shown().map((one) => ({
    stale: 'staleSince' in one && one.staleSince !== undefined,
    health: 'connectionHealth' in one ? one.connectionHealth : undefined,
  }))
  expect(states.length).toBeGreaterThan(0)
  expect(states.filter(({ stale }) => !stale)).toEqual([])
  expect(states.filter(({ health }) => health === 'healthy')).toEqual([])
  expect(source()).toMatchObject({ staleSince: expect.any(Number) })
}

const secretOf = (by: 'token' | 'password', text: string, { auth }: Connection): NodeChange =>
  by === 'token'
    ? { tokenName: auth.type === 'token' ? auth.tokenId : '', tokenValue: text }
    : { user: auth.type === 'password' ? auth.user : '', password: text }

const revealed = ({ auth }: Connection) => (auth.type === 'token' ? auth.secret : auth.password).reveal()

test.concurrent.for([
  ['pve', 'address', 'token'],
  ['pve', 'token', 'token'],
  ['pve', 'password', 'password'],
  ['pbs', 'address', 'token'],
  ['pbs', 'token', 'token'],
  ['pbs', 'password', 'password'],
  ['pmg', 'address', 'password'],
  ['pmg', 'password', 'password'],
] as const)(
  'a new %s %s that does not work: all that is shown is stale from the change on, until it is asked with success again',
  async ([kind, what, by], context) => {
    const one = await watched(context, kind, by)
    const right = revealed(one.connection)
    const change: NodeChange =
      what === 'address'
        ? { host: nowhere, ...secretOf(by, right, one.connection) }
        : secretOf(by, 'wrong-00000000-0000', one.connection)
    await one.area.change('c1', { type: kind, ...change })
    expectStale(one)

    await one.until('the failure', () => one.source()?.health === 'error', 60)
    expectStale(one)
    expect(one.source()!.refused ?? false).toBe(what !== 'address')
    await one.pass(120)
    expectStale(one)

    await one.area.change('c1', {
      type: kind,
      host: one.connection.host,
      ...secretOf(by, right, one.connection),
    })
    await one.until('the answers of the connection that works', one.isWell, 60)
    expect(one.source()).not.toHaveProperty('staleSince')
  },
)

test.concurrent.for(['pve', 'pbs', 'pmg'] as const)(
  '%s: what is stored elsewhere, by an import or pulse.yaml, is such a change too',
  async (kind, context) => {
    const one = await watched(context, kind, kind === 'pmg' ? 'password' : 'token')
    one.stored.set('c1', { ...one.connection, host: nowhere })
    await one.area.reload()
    expectStale(one)
    await one.until('the failure', () => one.source()?.health === 'error', 60)
    expectStale(one)
  },
)

test.concurrent('two changes that do not work keep the moment of the last answer', async (context) => {
  const one = await watched(context, 'pve', 'token')
  const change = (host: string) =>
    one.area.change('c1', { type: 'pve', host, ...secretOf('token', 'wrong', one.connection) })
  await change(nowhere)
  const since = one.source()!.staleSince
  await one.until('the failure', () => one.source()?.health === 'error', 60)
  await change('https://127.0.0.1:10')
  expectStale(one)
  expect(one.source()).toMatchObject({ staleSince: since })
})
