import type { Alert } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { alertStore } from '../db/alerts.ts'
import { collect } from '../db/pages.ts'
import { HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { anAlertWatch } from './fixtures-watch.ts'

const { now, begin, guests, shown, resolved, said, raise } = anAlertWatch()

describe('[R8] a server that was killed', () => {
  test('continues with its alerts: same start, same acknowledgement, no new event', async () => {
    const { id, startTime } = await raise()
    await now.watch.acknowledge([id], 'anna')
    await now.ground.clock.advance(HOUR_MS)
    await begin()
    expect(shown()).toMatchObject([{ id, startTime, acknowledged: true, ackUser: 'anna' }])
    guests(0.96)
    await now.ground.clock.advance(MINUTE_MS)
    expect(shown()).toMatchObject([{ id, startTime, acknowledged: true, ackUser: 'anna' }])
    expect(said()).toEqual([])
  })

  test('remembers an acknowledgement from shortly before the end', async () => {
    const { id } = await raise()
    await now.watch.acknowledge([id], 'anna')
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
    await now.ground.db.query.updateTable('alerts').set({ stored: '{' }).where('id', '=', broken!).execute()
    await begin()
    expect(shown().map(({ id }) => id)).toEqual([other])
    expect(now.ground.lines.some(({ alert }) => alert === broken)).toBe(true)
  })
})

describe('[R11] stored rows that are no alert', () => {
  const setStored = (stored: string, id: string) =>
    now.ground.db.query.updateTable('alerts').set({ stored }).where('id', '=', id).execute()

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
    const [row] = await collect(alertStore(now.ground.db).all())
    const stored = JSON.parse(row!.stored) as { alert: Alert }
    await setStored(JSON.stringify({ ...stored, alert: { ...stored.alert, startTime: 'yesterday' } }), id)
    await begin()
    expect(shown()).toEqual([])
  })

  test.each(['null', '[]', '5', '{"gone":5}', '{"gone":[],"flapping":{"a":{"changes":5}},"rules":{}}'])(
    'a memory of %s is none',
    async (memory) => {
      const { id } = await raise()
      await alertStore(now.ground.db).setMemory(memory)
      await begin()
      expect(shown()).toMatchObject([{ id }])
      expect(
        now.ground.lines.some(({ msg }) => String(msg).includes('cannot read the stored alert state')),
      ).toBe(true)
    },
  )

  test('does not stay open in the history: its entry ended when it was last seen', async () => {
    const { id } = await raise()
    await setStored('{', id)
    await now.ground.clock.advance(HOUR_MS)
    await begin()
    const entries = () => alertStore(now.ground.db).history({}, { limit: 9 })
    expect(await entries()).toMatchObject([{ alert_id: id, ended_at: expect.any(Number), duration_ms: 0 }])
    guests(0.96)
    await expect.poll(shown).toHaveLength(1)
    expect((await entries()).map(({ ended_at }) => ended_at === null)).toEqual([true, false])
  })
})

test('resolved alerts are on the disk once: the stored memory does not grow with them', async () => {
  const { id } = await raise()
  await now.watch.acknowledge([id], 'anna')
  guests(0.1)
  await expect.poll(resolved).toHaveLength(1)
  await now.watch.stop()
  const memory = JSON.parse((await alertStore(now.ground.db).memory())!) as { gone: object[] }
  expect(memory.gone).toEqual([])
  await begin()
  guests(0.99)
  await expect.poll(shown).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
})
