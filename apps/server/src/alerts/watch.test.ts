import type { Alert } from '@pulse/contract'
import { aSnapshot } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { alertStore } from '../db/alerts.ts'
import { collect } from '../db/pages.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { anAlertWatch } from './fixtures-watch.ts'

const cpuId = /cpu/
const { now, guests, shown, resolved, said, raise, configure } = anAlertWatch()

test('a high figure is an alert, for pages and for listeners', async () => {
  const alert = await raise()
  expect(alert).toMatchObject({ type: 'cpu', resourceId: 'main-pve1-100', acknowledged: false })
  expect(alert.id).toMatch(cpuId)
  expect(said()).toEqual(['alert'])
  expect([...now.watch.active().keys()]).toEqual([alert.id])
})

test('[R8] nothing is shown before it is stored', async () => {
  let spin = () => {}
  now.disk = new Promise((resolve) => (spin = resolve))
  guests(0.95)
  await now.ground.clock.advance(MINUTE_MS)
  expect(shown()).toEqual([])
  expect(now.events).toEqual([])
  spin()
  await expect.poll(shown).toHaveLength(1)
})

test('simultaneous changes are stored together', async () => {
  const rows: number[] = []
  const { transaction } = now.ground.db
  now.ground.db.transaction = (queries) => (rows.push(queries.length), transaction(queries))
  guests(...Array.from({ length: 50 }, () => 0.95))
  await expect.poll(shown).toHaveLength(50)
  now.ground.db.transaction = transaction
  expect(rows).toEqual([100])
})

test('[R18] of very many resolved alerts the database keeps the latest', async () => {
  guests(0.95, 0.95, 0.95)
  await expect.poll(shown).toHaveLength(3)
  guests(0.1, 0.95, 0.1)
  await expect.poll(resolved).toHaveLength(2)
  await alertStore(now.ground.db).forgetResolved(0, 1)
  const rows = await collect(alertStore(now.ground.db).all())
  expect(rows.map(({ resolved_at }) => resolved_at === null).sort()).toEqual([false, true])
})

describe('[spec 3 §4] while alerts are not active', () => {
  test.each(['pending_review', 'snoozed'] as const)(
    '(%s) pages see none, and listeners get none',
    async (activationState) => {
      configure({ activationState })
      guests(0.95)
      await expect.poll(() => now.watch.active().size).toBe(1)
      expect(shown()).toEqual([])
      expect(now.events).toEqual([])
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
  await expect.poll(() => now.watch.active().size).toBe(0)
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
      guestDefaults: { ...now.config.guestDefaults, cpu: { trigger, clear: trigger - 5 } },
      overrides: {
        [`guest:pve-1:${100 + Math.floor(random() * 500)}`]: { memory: { trigger: 99, clear: 90 } },
      },
    })
  }
  await now.ground.clock.advance(MINUTE_MS)
  const since = (alerts: Alert[]) => alerts.map(({ id, startTime }) => `${id} ${startTime}`).toSorted()
  expect(since(shown())).toEqual(since(before))
  expect(resolved()).toEqual([])
  expect(said().filter((type) => type !== 'alert')).toEqual([])
  const entries = await alertStore(now.ground.db).countHistory()
  expect(entries).toBe(500)
})

describe('a resolved alert', () => {
  test('[facts/alerts 5.2] is listed for five minutes', async () => {
    const { id } = await raise()
    guests(0.1)
    await expect.poll(resolved).toMatchObject([{ id }])
    expect(shown()).toEqual([])
    expect(now.events.at(-1)).toEqual({ type: 'alertResolved', data: { alertId: id } })
    await now.ground.clock.advance(4 * MINUTE_MS)
    expect(resolved()).toHaveLength(1)
    await now.ground.clock.advance(MINUTE_MS + 1_000)
    await expect.poll(resolved).toEqual([])
  })

  test('is deleted from the database after an hour', async () => {
    await raise()
    guests(0.1)
    await expect.poll(resolved).toHaveLength(1)
    const rows = () => collect(alertStore(now.ground.db).all())
    expect(await rows()).toHaveLength(1)
    await now.ground.clock.advance(HOUR_MS + 16 * MINUTE_MS)
    await expect.poll(rows).toEqual([])
  })

  test('[facts/alerts 5.4] an alert cleared by a user ends at once, and is not among the resolved', async () => {
    const { id } = await raise()
    configure({ timeThresholds: { ...now.config.timeThresholds, guest: 5 } })
    expect([...(await now.watch.clear([id, 'none']))]).toEqual([id])
    expect(shown()).toEqual([])
    expect(resolved()).toEqual([])
    expect(said()).toEqual(['alert', 'alertResolved'])
  })
})

describe('acknowledging', () => {
  test('is stored before the answer, which names the known alerts', async () => {
    const { id } = await raise()
    expect([...(await now.watch.acknowledge([id, 'none'], 'anna'))]).toEqual([id])
    expect(shown()).toMatchObject([{ acknowledged: true, ackUser: 'anna' }])
    expect(now.refreshed).toBe(1)
    const [row] = await alertStore(now.ground.db).history({}, { limit: 1 })
    expect(JSON.parse(row!.alert)).toMatchObject({ acknowledged: true, ackUser: 'anna' })
    expect([...(await now.watch.unacknowledge([id]))]).toEqual([id])
    expect(shown()[0]).toMatchObject({ acknowledged: false })
    expect(shown()[0]).not.toHaveProperty('ackUser')
  })

  test('of an unknown alert does nothing', async () =>
    expect([...(await now.watch.acknowledge(['none'], 'anna'))]).toEqual([]))
})

test('a timer of weeks is split into hours: longer platform timers fire at once', async () => {
  configure({ snapshotDefaults: { enabled: true, warningDays: 30, criticalDays: 45 } })
  const snapshot = aSnapshot({ source: 'pve-1', vmid: 100 })
  now.state.observe({ source: 'pve-1', records: { pveBackups: new Map([['pve-1:100:before', snapshot]]) } })
  guests(0.1)
  await now.ground.clock.advance(2 * HOUR_MS)
  expect(now.waits).toContain(HOUR_MS)
  expect(Math.max(...now.waits)).toBe(HOUR_MS)
})

test('stops with all changes on the disk, and no pending work', async () => {
  await raise()
  guests(0.93)
  await now.watch.stop()
  const [row] = await collect(alertStore(now.ground.db).all())
  expect(row!.stored).toContain('"value":93')
  expect(now.ground.clock.pending()).toBe(0)
})

test('a failing timer does not stop the others, and is retried', async () => {
  await configure({ snapshotDefaults: { enabled: true, warningDays: 30, criticalDays: 45 } })
  const old = (minutes: number) =>
    new Date(now.ground.clock.now() - 30 * 24 * HOUR_MS + minutes * MINUTE_MS).toISOString()
  const snapshots = [1, 2].map((n) => aSnapshot({ source: 'pve-1', vmid: 100, name: `s${n}`, time: old(n) }))
  const pveBackups = new Map(snapshots.map((one) => [`pve-1:100:${one.name}`, one]))
  guests(0.1)
  now.state.observe({ source: 'pve-1', records: { pveBackups } })
  const table = now.state.tables.pveBackups as Map<string, never>
  table.get = () => {
    throw new Error('broken')
  }
  await now.ground.clock.advance(MINUTE_MS)
  expect(now.faults.splice(0)).toEqual([new Error('broken')])
  Reflect.deleteProperty(table, 'get')
  await now.ground.clock.advance(MINUTE_MS)
  await expect.poll(shown).toHaveLength(2)
})
