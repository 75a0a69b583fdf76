import { type Alert, type AlertConfig, alertDefaults, type LiveEvent } from '@pulse/contract'
import { aGuest, aMeta, aSnapshot } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGround, type Ground, scale } from '../auth/fixtures.ts'
import { DatabaseError } from '../database-error.ts'
import { type AlertStore, alertStore } from '../db/alerts.ts'
import { collect } from '../db/pages.ts'
import { createState, type State } from '../state/state.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { type AlertWatch, createAlertWatch } from './watch.ts'

const cpuId = /cpu/
let ground: Ground
let state: State
let config: AlertConfig
let events: LiveEvent[]
let refreshed: number
/** reported errors */
let faults: unknown[]
/** delay of every timer, in ms */
let waits: number[]
let watch: AlertWatch
/** every database call waits for this */
let disk: Promise<void>
let store: AlertStore

beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())
beforeEach(async () => {
  await ground.clear()
  const tables = ['alerts', 'alert_history', 'alert_memory'] as const
  await ground.db.transaction(tables.map((table) => ground.db.query.deleteFrom(table).compile()))
  config = {
    ...alertDefaults,
    activationState: 'active',
    timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
  }
  disk = Promise.resolve()
  await begin()
})

afterEach(() => expect(faults).toEqual([]))

/** A server that starts with the stored alerts and an empty state. */
async function begin() {
  state = createState(aMeta())
  events = []
  refreshed = 0
  faults = []
  waits = []
  store = alertStore(ground.db)
  const { write: put } = store
  const write: AlertStore['write'] = async (rows) => {
    await disk
    await put(rows)
  }
  const { clock } = ground
  watch = createAlertWatch({
    ...ground,
    clock: { ...clock, after: (ms, run) => (waits.push(ms), clock.after(ms, run)) },
    store: Object.assign(store, { write }),
    state,
    config: () => config,
    publish: (event) => void events.push(event),
    tell: () => {},
    refresh: () => void refreshed++,
    onFault: (error) => faults.push(error),
  })
  await watch.start()
}

function guests(...cpus: number[]) {
  const records = new Map(
    cpus.map((cpu, n) => [
      `pve-1:${100 + n}`,
      aGuest({ source: 'pve-1', vmid: 100 + n, id: `main-pve1-${100 + n}`, cpu, status: 'running' }),
    ]),
  )
  state.observe({
    source: 'pve-1',
    records: { guests: records },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: ground.clock.now() },
  })
}
const shown = () => [...state.tables.activeAlerts.values()]
const resolved = () => [...state.tables.recentlyResolved.values()]
const said = () => events.map(({ type }) => type)
async function raise() {
  guests(0.95)
  await expect.poll(shown).toHaveLength(1)
  return shown()[0]!
}
const configure = (change: Partial<AlertConfig>) => {
  config = { ...config, ...change }
  return watch.configure(config)
}

test('a high figure is an alert, for pages and for listeners', async () => {
  const alert = await raise()
  expect(alert).toMatchObject({ type: 'cpu', resourceId: 'main-pve1-100', acknowledged: false })
  expect(alert.id).toMatch(cpuId)
  expect(said()).toEqual(['alert'])
  expect([...watch.active().keys()]).toEqual([alert.id])
})

test('[R8] nothing is shown before it is stored', async () => {
  let spin = () => {}
  disk = new Promise((resolve) => (spin = resolve))
  guests(0.95)
  await ground.clock.advance(MINUTE_MS)
  expect(shown()).toEqual([])
  expect(events).toEqual([])
  spin()
  await expect.poll(shown).toHaveLength(1)
})

test('simultaneous changes are stored together', async () => {
  const rows: number[] = []
  const { transaction } = ground.db
  ground.db.transaction = (queries) => (rows.push(queries.length), transaction(queries))
  guests(...Array.from({ length: 50 }, () => 0.95))
  await expect.poll(shown).toHaveLength(50)
  ground.db.transaction = transaction
  expect(rows).toEqual([100])
})

describe('[R8] a server that was killed', () => {
  test('continues with its alerts: same start, same acknowledgement, no new event', async () => {
    const { id, startTime } = await raise()
    await watch.acknowledge([id], 'anna')
    await ground.clock.advance(HOUR_MS)
    await begin()
    expect(shown()).toMatchObject([{ id, startTime, acknowledged: true, ackUser: 'anna' }])
    guests(0.96)
    await ground.clock.advance(MINUTE_MS)
    expect(shown()).toMatchObject([{ id, startTime, acknowledged: true, ackUser: 'anna' }])
    expect(said()).toEqual([])
  })

  test('remembers an acknowledgement from shortly before the end', async () => {
    const { id } = await raise()
    await watch.acknowledge([id], 'anna')
    guests(0.1)
    await expect.poll(resolved).toHaveLength(1)
    await begin()
    expect(resolved()).toMatchObject([{ id }])
    guests(0.99)
    await expect.poll(shown).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('loses one row that cannot be read, and nothing else', async () => {
    guests(0.95, 0.95)
    await expect.poll(shown).toHaveLength(2)
    const [broken, other] = shown().map(({ id }) => id)
    await ground.db.query.updateTable('alerts').set({ stored: '{' }).where('id', '=', broken!).execute()
    await begin()
    expect(shown().map(({ id }) => id)).toEqual([other])
    expect(ground.lines.some(({ alert }) => alert === broken)).toBe(true)
  })
})

describe('[R11] stored rows that are no alert', () => {
  const setStored = (stored: string, id: string) =>
    ground.db.query.updateTable('alerts').set({ stored }).where('id', '=', id).execute()

  test.each([
    ['null'],
    ['[]'],
    ['"text"'],
    ['{}'],
    ['{"alert":null,"steps":[]}'],
    ['{"alert":{"id":"other"},"steps":5}'],
    ['{"stored":{"alert":{}},"ending":"value","endedAt":1e300}'],
  ])('(%s) keeps nothing else from coming back', async (text) => {
    guests(0.95, 0.95, 0.95)
    await expect.poll(shown).toHaveLength(3)
    guests(0.95, 0.95, 0.1)
    await expect.poll(shown).toHaveLength(2)
    const [broken, other] = shown().map(({ id }) => id)
    await setStored(text, broken!)
    await setStored(text, resolved()[0]!.id)
    await begin()
    expect(shown().map(({ id }) => id)).toEqual([other])
    expect(resolved()).toEqual([])
  })

  test('with an invalid date is left out', async () => {
    const { id } = await raise()
    const [row] = await collect(alertStore(ground.db).all())
    const stored = JSON.parse(row!.stored) as { alert: Alert }
    await setStored(JSON.stringify({ ...stored, alert: { ...stored.alert, startTime: 'yesterday' } }), id)
    await begin()
    expect(shown()).toEqual([])
  })

  test.each(['null', '[]', '5', '{"gone":5}', '{"gone":[],"flapping":{"a":{"changes":5}},"rules":{}}'])(
    'a memory of %s is none',
    async (memory) => {
      const { id } = await raise()
      await alertStore(ground.db).setMemory(memory)
      await begin()
      expect(shown()).toMatchObject([{ id }])
      expect(ground.lines.some(({ msg }) => String(msg).includes('cannot read the stored alert state'))).toBe(
        true,
      )
    },
  )

  test('does not stay open in the history: its entry ended when it was last seen', async () => {
    const { id } = await raise()
    await setStored('{', id)
    await ground.clock.advance(HOUR_MS)
    await begin()
    const entries = () => alertStore(ground.db).history({}, { limit: 9 })
    expect(await entries()).toMatchObject([{ alert_id: id, ended_at: expect.any(Number), duration_ms: 0 }])
    guests(0.96)
    await expect.poll(shown).toHaveLength(1)
    expect((await entries()).map(({ ended_at }) => ended_at === null)).toEqual([true, false])
  })
})

describe('[R9] on a full disk', () => {
  const full = () => Promise.reject(new DatabaseError('database or disk is full', 13))
  const isFull = () => {
    disk = full()
    disk.catch(() => undefined)
  }

  test('alerts are shown all the same, and an acknowledgement answers that it is not stored yet', async () => {
    isFull()
    const { id } = await raise()
    await expect(watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(shown()).toMatchObject([{ id, acknowledged: true }])
    disk = Promise.resolve()
    await ground.clock.advance(5_000)
    await expect.poll(() => collect(alertStore(ground.db).all())).toHaveLength(1)
    expect([...(await watch.acknowledge([id], 'anna'))]).toEqual([id])
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('a refused change is stored by a repeated request once there is room', async () => {
    const { id } = await raise()
    isFull()
    await expect(watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    disk = Promise.resolve()
    expect([...(await watch.acknowledge([id], 'anna'))]).toEqual([id])
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('a refused change is stored when the disk accepts writes again', async () => {
    const { id } = await raise()
    isFull()
    await expect(watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    disk = Promise.resolve()
    await watch.storageIsBack()
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('it stops with no pending work', async () => {
    await raise()
    isFull()
    guests(0.1)
    await expect.poll(shown).toEqual([])
    store.setMemory = full
    await expect(watch.stop()).rejects.toThrow('full')
    expect(ground.clock.pending()).toBe(0)
  })
})

test('[R18] of very many resolved alerts the database keeps the latest', async () => {
  guests(0.95, 0.95, 0.95)
  await expect.poll(shown).toHaveLength(3)
  guests(0.1, 0.95, 0.1)
  await expect.poll(resolved).toHaveLength(2)
  await alertStore(ground.db).forgetResolved(0, 1)
  const rows = await collect(alertStore(ground.db).all())
  expect(rows.map(({ resolved_at }) => resolved_at === null).sort()).toEqual([false, true])
})

describe('[spec 3 §4] while alerts are not active', () => {
  test.each(['pending_review', 'snoozed'] as const)(
    '(%s) pages see none, and listeners get none',
    async (activationState) => {
      configure({ activationState })
      guests(0.95)
      await expect.poll(() => watch.active().size).toBe(1)
      expect(shown()).toEqual([])
      expect(events).toEqual([])
      configure({ activationState: 'active' })
      expect(shown()).toHaveLength(1)
      configure({ activationState })
      expect(shown()).toEqual([])
      expect(resolved()).toEqual([])
    },
  )
})

test('[facts/alerts 2] with alerts switched off nothing fires', async () => {
  await raise()
  configure({ enabled: false })
  await expect.poll(() => watch.active().size).toBe(0)
  expect(shown()).toEqual([])
})

const saves = scale > 1 ? 1_000 : 50

test(`[R6] ${saves} saves of settings while 500 alerts are open: none fires again, none resolves`, async () => {
  guests(...Array.from({ length: 500 }, () => 0.95))
  await expect.poll(shown).toHaveLength(500)
  const before = shown()
  const random = randomFrom(6)
  for (let n = 0; n < saves; n++) {
    const trigger = 50 + Math.floor(random() * 45)
    configure({
      minimumDelta: 1 + random(),
      disableAllNodes: random() < 0.5,
      guestDefaults: { ...config.guestDefaults, cpu: { trigger, clear: trigger - 5 } },
      overrides: {
        [`guest:pve-1:${100 + Math.floor(random() * 500)}`]: { memory: { trigger: 99, clear: 90 } },
      },
    })
  }
  await ground.clock.advance(MINUTE_MS)
  const since = (alerts: Alert[]) => alerts.map(({ id, startTime }) => `${id} ${startTime}`).toSorted()
  expect(since(shown())).toEqual(since(before))
  expect(resolved()).toEqual([])
  expect(said().filter((type) => type !== 'alert')).toEqual([])
  const entries = await alertStore(ground.db).countHistory()
  expect(entries).toBe(500)
})

describe('a resolved alert', () => {
  test('[facts/alerts 5.2] is listed for five minutes', async () => {
    const { id } = await raise()
    guests(0.1)
    await expect.poll(resolved).toMatchObject([{ id }])
    expect(shown()).toEqual([])
    expect(events.at(-1)).toEqual({ type: 'alertResolved', data: { alertId: id } })
    await ground.clock.advance(4 * MINUTE_MS)
    expect(resolved()).toHaveLength(1)
    await ground.clock.advance(MINUTE_MS + 1_000)
    await expect.poll(resolved).toEqual([])
  })

  test('is deleted from the database after an hour', async () => {
    await raise()
    guests(0.1)
    await expect.poll(resolved).toHaveLength(1)
    const rows = () => collect(alertStore(ground.db).all())
    expect(await rows()).toHaveLength(1)
    await ground.clock.advance(HOUR_MS + 16 * MINUTE_MS)
    await expect.poll(rows).toEqual([])
  })

  test('[facts/alerts 5.4] an alert cleared by a user ends at once, and is not among the resolved', async () => {
    const { id } = await raise()
    configure({ timeThresholds: { ...config.timeThresholds, guest: 5 } })
    expect([...(await watch.clear([id, 'none']))]).toEqual([id])
    expect(shown()).toEqual([])
    expect(resolved()).toEqual([])
    expect(said()).toEqual(['alert', 'alertResolved'])
  })
})

describe('acknowledging', () => {
  test('is stored before the answer, which names the known alerts', async () => {
    const { id } = await raise()
    expect([...(await watch.acknowledge([id, 'none'], 'anna'))]).toEqual([id])
    expect(shown()).toMatchObject([{ acknowledged: true, ackUser: 'anna' }])
    expect(refreshed).toBe(1)
    const [row] = await alertStore(ground.db).history({}, { limit: 1 })
    expect(JSON.parse(row!.alert)).toMatchObject({ acknowledged: true, ackUser: 'anna' })
    expect([...(await watch.unacknowledge([id]))]).toEqual([id])
    expect(shown()[0]).toMatchObject({ acknowledged: false })
    expect(shown()[0]).not.toHaveProperty('ackUser')
  })

  test('of an unknown alert does nothing', async () =>
    expect([...(await watch.acknowledge(['none'], 'anna'))]).toEqual([]))
})

test('a timer of weeks is split into hours: longer platform timers fire at once', async () => {
  configure({ snapshotDefaults: { enabled: true, warningDays: 30, criticalDays: 45 } })
  const snapshot = aSnapshot({ source: 'pve-1', vmid: 100 })
  state.observe({ source: 'pve-1', records: { pveBackups: new Map([['pve-1:100:before', snapshot]]) } })
  guests(0.1)
  await ground.clock.advance(2 * HOUR_MS)
  expect(waits).toContain(HOUR_MS)
  expect(Math.max(...waits)).toBe(HOUR_MS)
})

test('resolved alerts are on the disk once: the stored memory does not grow with them', async () => {
  const { id } = await raise()
  await watch.acknowledge([id], 'anna')
  guests(0.1)
  await expect.poll(resolved).toHaveLength(1)
  await watch.stop()
  const memory = JSON.parse((await alertStore(ground.db).memory())!) as { gone: object[] }
  expect(memory.gone).toEqual([])
  await begin()
  guests(0.99)
  await expect.poll(shown).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
})

test('stops with all changes on the disk, and no pending work', async () => {
  await raise()
  guests(0.93)
  await watch.stop()
  const [row] = await collect(alertStore(ground.db).all())
  expect(row!.stored).toContain('"value":93')
  expect(ground.clock.pending()).toBe(0)
})

test('a failing timer does not stop the others, and is retried', async () => {
  await configure({ snapshotDefaults: { enabled: true, warningDays: 30, criticalDays: 45 } })
  const old = (minutes: number) =>
    new Date(ground.clock.now() - 30 * 24 * HOUR_MS + minutes * MINUTE_MS).toISOString()
  const snapshots = [1, 2].map((n) => aSnapshot({ source: 'pve-1', vmid: 100, name: `s${n}`, time: old(n) }))
  const pveBackups = new Map(snapshots.map((one) => [`pve-1:100:${one.name}`, one]))
  guests(0.1)
  state.observe({ source: 'pve-1', records: { pveBackups } })
  const table = state.tables.pveBackups as Map<string, never>
  table.get = () => {
    throw new Error('broken')
  }
  await ground.clock.advance(MINUTE_MS)
  expect(faults.splice(0)).toEqual([new Error('broken')])
  Reflect.deleteProperty(table, 'get')
  await ground.clock.advance(MINUTE_MS)
  await expect.poll(shown).toHaveLength(2)
})
