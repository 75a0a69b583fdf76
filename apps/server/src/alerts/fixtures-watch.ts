import { type AlertConfig, alertDefaults, type LiveEvent } from '@pulse/contract'
import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { type AlertStore, alertStore } from '../db/alerts.ts'
import { createState, type State } from '../state/state.ts'
import { type AlertWatch, createAlertWatch } from './watch.ts'

/** The server of the current test. */
interface WatchServer {
  ground: Ground
  state: State
  config: AlertConfig
  events: LiveEvent[]
  refreshed: number
  /** reported errors */
  faults: unknown[]
  /** delay of every timer, in ms */
  waits: number[]
  watch: AlertWatch
  /** every database call waits for this */
  disk: Promise<void>
  store: AlertStore
}

/** A new alert watch for each test of a file, with an empty database. */
export function anAlertWatch() {
  const now = {} as WatchServer
  beforeAll(async () => {
    now.ground = await aGround()
  })
  afterAll(() => now.ground.end())
  beforeEach(async () => {
    const { ground } = now
    await ground.clear()
    const tables = ['alerts', 'alert_history', 'alert_memory'] as const
    await ground.db.transaction(tables.map((table) => ground.db.query.deleteFrom(table).compile()))
    now.config = {
      ...alertDefaults,
      activationState: 'active',
      timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
    }
    now.disk = Promise.resolve()
    await begin()
  })
  afterEach(() => expect(now.faults).toEqual([]))

  /** A server that starts with the stored alerts and an empty state. */
  async function begin() {
    const { ground } = now
    const store = alertStore(ground.db)
    now.state = createState(aMeta())
    now.events = []
    now.refreshed = 0
    now.faults = []
    now.waits = []
    now.store = store
    const { write: put } = store
    const write: AlertStore['write'] = async (rows) => {
      await now.disk
      await put(rows)
    }
    const { clock } = ground
    now.watch = createAlertWatch({
      ...ground,
      clock: { ...clock, after: (ms, run) => (now.waits.push(ms), clock.after(ms, run)) },
      store: Object.assign(store, { write }),
      state: now.state,
      config: () => now.config,
      publish: (event) => void now.events.push(event),
      onChanges: () => {},
      refresh: () => void now.refreshed++,
      onFault: (error) => now.faults.push(error),
    })
    await now.watch.start()
  }

  function guests(...cpus: number[]) {
    const records = new Map(
      cpus.map((cpu, n) => [
        `pve-1:${100 + n}`,
        aGuest({ source: 'pve-1', vmid: 100 + n, id: `main-pve1-${100 + n}`, cpu, status: 'running' }),
      ]),
    )
    now.state.observe({
      source: 'pve-1',
      records: { guests: records },
      state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: now.ground.clock.now() },
    })
  }
  const shown = () => [...now.state.tables.activeAlerts.values()]
  const resolved = () => [...now.state.tables.recentlyResolved.values()]
  const said = () => now.events.map(({ type }) => type)
  async function raise() {
    guests(0.95)
    await expect.poll(shown).toHaveLength(1)
    return shown()[0]!
  }
  const configure = (change: Partial<AlertConfig>) => {
    now.config = { ...now.config, ...change }
    return now.watch.configure(now.config)
  }
  return { now, begin, guests, shown, resolved, said, raise, configure }
}
