import { type AlertConfig, alertDefaults } from '@pulse/contract'
import type { AlertChange } from '@pulse/domain'
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

/** Guests that are above their threshold from the first evaluation. */
async function given() {
  const state = createState(aMeta())
  const faults: unknown[] = []
  const published: AlertChange[] = []
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
    onChanges: (changes) => void published.push(...changes),
    refresh: () => {},
    onFault: (error) => faults.push(error),
  })
  await watch.start()
  return {
    state,
    watch,
    published,
    configure(change: Partial<AlertConfig>) {
      config = { ...config, ...change }
      return watch.configure(config)
    },
    tell: (cpu: number, count = 1) =>
      state.observe({
        source: 'pve-1',
        records: {
          guests: new Map(
            Array.from({ length: count }, (_, n) => [
              `pve-1:${100 + n}`,
              aGuest({ source: 'pve-1', vmid: 100 + n, cpu }),
            ]),
          ),
        },
        state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: ground.clock.now() },
      }),
    async end() {
      await watch.stop()
      expect(faults).toEqual([])
    },
  }
}

test('an alert that settings end says so, also when its figure falls before they are applied; an acknowledgement waits for them', async () => {
  const { state, watch, configure, tell, end } = await given()
  tell(0.95)
  await expect.poll(() => state.tables.activeAlerts.size).toBe(1)
  const [id] = [...state.tables.activeAlerts.keys()]

  void configure({ disableAllGuests: true })
  tell(0.1)
  expect(await watch.acknowledge([id!], 'anna')).toEqual(new Set())
  await expect
    .poll(() => [...state.tables.recentlyResolved.values()])
    .toMatchObject([{ id, endReason: 'unwatched', endNote: 'Alerts of guests are switched off.' }])
  await end()
})

test('pages see the ends by settings all at once, after they are stored', async () => {
  const { state, configure, tell, end } = await given()
  tell(0.95, 1_200)
  await expect.poll(() => state.tables.activeAlerts.size).toBe(1_200)
  const seen: number[] = []
  state.subscribe(({ activeAlerts }) => void (activeAlerts && seen.push(state.tables.activeAlerts.size)))
  void configure({ disableAllGuests: true })
  await expect.poll(() => state.tables.activeAlerts.size).toBe(0)
  expect(seen).toEqual([0])
  await end()
})

test('notifications learn the latest figure of an alert, and that it is below its trigger', async () => {
  const now = await given()
  const last = () => now.published.at(-1)
  now.tell(0.95)
  await expect.poll(last).toMatchObject({ stored: { alert: { value: 95 } } })
  now.tell(0.97)
  await expect.poll(last).toMatchObject({ what: 'refreshed', stored: { alert: { value: 97 } } })
  now.tell(0.78)
  await expect.poll(last).toMatchObject({ what: 'refreshed', stored: { noReminder: true } })
  await now.end()
})
