import { type AlertConfig, alertDefaults } from '@pulse/contract'
import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/given.ts'
import { alertStore } from '../db/alerts.ts'
import { createState } from '../state/state.ts'
import { createAlertWatch } from './watch.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())

test('what settings end says so, also when its figure falls before they are applied; who acknowledges it waits for them', async () => {
  const state = createState(aMeta())
  const faults: unknown[] = []
  let config: AlertConfig = {
    ...alertDefaults,
    activationState: 'active',
    timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
  }
  const watch = createAlertWatch({
    ...ground,
    store: alertStore(ground.db),
    state,
    config: () => config,
    publish: () => {},
    tell: () => {},
    refresh: () => {},
    onFault: (error) => faults.push(error),
  })
  const tell = (cpu: number) =>
    state.observe({
      source: 'pve-1',
      records: { guests: new Map([['pve-1:100', aGuest({ source: 'pve-1', vmid: 100, cpu })]]) },
      state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: ground.clock.now() },
    })
  await watch.start()
  tell(0.95)
  await expect.poll(() => state.tables.activeAlerts.size).toBe(1)
  const [id] = [...state.tables.activeAlerts.keys()]

  config = { ...config, disableAllGuests: true }
  void watch.configure(config)
  tell(0.1)
  expect(await watch.acknowledge([id!], 'anna')).toEqual(new Set())
  await expect
    .poll(() => [...state.tables.recentlyResolved.values()])
    .toMatchObject([{ id, endReason: 'unwatched', endNote: 'Alerts of guests are switched off.' }])
  await watch.stop()
  expect(faults).toEqual([])
})
