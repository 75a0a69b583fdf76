import { aMeta } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { connectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'
import { aStoredConnection } from '../testing/data-folder.ts'
import { usualPace, type Collector } from '../collectors/source.ts'
import { createConnections, maxConnections } from './connections.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())

const silent: Collector = {
  start: () => ({
    apply: () => {},
    refresh: () => {},
    calls: () => ({}) as never,
    totals: () => ({}) as never,
    polling: () => ({}) as never,
    stop: () => Promise.resolve(),
  }),
  test: () => Promise.resolve({ status: 'success', message: '' }),
}

test('there is a limit to nodes: one more is refused with the reason, and with one less it is taken', async () => {
  const store = connectionStore(ground.db, ground.vault)
  const many = Array.from({ length: maxConnections }, (_, n) => ({
    ...aStoredConnection(`node ${n}`),
    id: `pve-${n}`,
    host: `https://127.0.1.${n % 250}:${9000 + n}`,
  }))
  await ground.db.transaction(store.replacing(many, 1))
  const area = createConnections({
    store,
    collectors: { pve: silent, pbs: silent, pmg: silent },
    state: createState(aMeta()),
    clock: ground.clock,
    log: ground.log,
    publish: () => {},
    onWrite: () => {},
    pace: () => usualPace,
  })
  await area.start()
  const input = {
    type: 'pve',
    name: 'more',
    host: '127.0.2.1',
    tokenName: 'a@pam!b',
    tokenValue: 'c',
  } as const
  await expect(area.add(input)).rejects.toThrow('There are 500 nodes, which is the limit.')
  await area.remove('pve-7')
  await area.add(input)
  await area.stop()
})
