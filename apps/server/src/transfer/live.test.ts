import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualPace, type Collector } from '../collectors/source.ts'
import { createConnections, type ConnectionArea } from '../connections/connections.ts'
import { connectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'
import { aMeta } from '@pulse/testkit'
import { createTransfer } from './transfer.ts'
import {
  aConnection,
  aFile,
  atConsole,
  aTransferGround,
  cheap,
  passphrase,
  type TransferGround,
} from './fixtures.ts'

let ground: TransferGround
let connections: ConnectionArea
const events: string[] = []
const collector: Collector = {
  start({ name }) {
    events.push(`start ${name}`)
    return {
      apply: () => {},
      refresh: () => {},
      calls: () => ({}) as never,
      totals: () => ({}) as never,
      polling: () => ({}) as never,
      stop: async () => void events.push(`stop ${name}`),
    }
  },
  test: async () => ({ status: 'success', message: '' }),
}

beforeAll(async () => {
  ground = await aTransferGround()
  connections = createConnections({
    store: connectionStore(ground.db, ground.vault),
    collectors: { pve: collector, pbs: collector, pmg: collector },
    state: createState(aMeta()),
    clock: ground.clock,
    log: ground.log,
    publish: ({ type }) => void events.push(type),
    onWrite: () => {},
    pace: () => usualPace,
  })
})
afterAll(async () => {
  await connections.stop()
  await ground.end()
})

const of = (name: string, changes: Record<string, unknown> = {}) =>
  aConnection({
    id: `pve-${Buffer.from(name).toString('hex').padStart(12, '0')}`,
    name,
    host: `https://${name}.lan:8006`,
    ...changes,
  })

test('an import disturbs no source that stays as it is', async () => {
  const live = [
    connections,
    { runExclusive: <T>(job: () => Promise<T>) => job(), reload: () => Promise.reject(new Error('broken')) },
  ]
  const { db, parts, clock, log } = ground
  const transfer = createTransfer({
    db,
    parts,
    caches: live.toReversed(),
    clock,
    log,
    onWrite: () => {},
    cost: cheap,
  })
  const put = async (...list: unknown[]) => {
    events.length = 0
    await transfer.import(await aFile({ connections: list }), passphrase, atConsole)
    return [...events]
  }
  expect(await put(of('a'), of('b'), of('c'))).toEqual(['start a', 'start b', 'start c', 'nodes_changed'])
  const newSecret = { auth: { type: 'token', tokenId: 'pulse@pam!monitor', secret: 'another' } }
  expect(await put(of('a'), of('b', newSecret), of('d'))).toEqual([
    'stop c',
    'node_deleted',
    'stop b',
    'start b',
    'start d',
    'nodes_changed',
  ])
  expect(connections.list().map(({ name }) => name)).toEqual(['a', 'b', 'd'])
  // an area that cannot apply its part does not stop the others, and the log reports it
  expect(JSON.stringify(ground.lines)).toContain('cannot apply an imported part')
})

test('what is changed while an import runs waits, and is not lost', async () => {
  const { db, parts, clock, log } = ground
  const transfer = createTransfer({
    db,
    parts,
    caches: [connections],
    clock,
    log,
    onWrite: () => {},
    cost: cheap,
  })
  const input = { type: 'pve', name: 'new', host: 'new.lan', tokenName: 'a@pam!b', tokenValue: 'x' } as const
  const file = await aFile({ connections: [of('a')] })
  const [, id] = await Promise.all([transfer.import(file, passphrase, atConsole), connections.add(input)])
  const stored = (await connectionStore(db, ground.vault).all()).map(({ name }) => name)
  expect(connections.list().map(({ name }) => name)).toEqual(stored)
  expect([['a'], ['a', 'new']]).toContainEqual(stored)
  expect(typeof id).toBe('string')
})
