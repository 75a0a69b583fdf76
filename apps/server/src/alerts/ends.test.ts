import { alertDefaults } from '@pulse/contract'
import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { alertStore } from '../db/alerts.ts'
import { createState } from '../state/state.ts'
import { createAlertWatch } from './watch.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())

/** A server that starts with the stored alerts. */
async function begin() {
  const state = createState(aMeta())
  const watch = createAlertWatch({
    ...ground,
    store: alertStore(ground.db),
    state,
    config: () => ({
      ...alertDefaults,
      activationState: 'active',
      timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
    }),
    publish: () => {},
    onChanges: () => {},
    refresh: () => {},
    onFault: (error) => {
      throw error
    },
  })
  await watch.start()
  return { state, watch }
}

test('how an alert ended is known for an hour after a restart, also when the history was cleared', async () => {
  const before = await begin()
  before.state.observe({
    source: 'pve-1',
    records: { guests: new Map([['pve-1:100', aGuest({ source: 'pve-1', vmid: 100, cpu: 0.95 })]]) },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: ground.clock.now() },
  })
  await expect.poll(() => before.state.tables.activeAlerts.size).toBe(1)
  const [{ episode, alert }] = before.watch.stored() as [ReturnType<typeof before.watch.stored>[number]]
  await before.watch.clear([alert.id])
  await alertStore(ground.db).clearHistory()
  await before.watch.stop()

  const { watch } = await begin()
  const ends = await watch.endsOf([episode, 'another'])
  expect([...ends]).toEqual([
    [episode, { at: ground.clock.now(), reason: 'cleared', note: 'It was cleared by an administrator.' }],
  ])
  await watch.stop()
})
