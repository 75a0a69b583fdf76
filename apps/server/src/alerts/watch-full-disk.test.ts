import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../database-error.ts'
import { alertStore } from '../db/alerts.ts'
import { collect } from '../db/pages.ts'
import { anAlertWatch } from './fixtures-watch.ts'

const { now, begin, guests, shown, raise } = anAlertWatch()

describe('[R9] on a full disk', () => {
  const full = () => Promise.reject(new DatabaseError('database or disk is full', 'disk-full'))
  const isFull = () => {
    now.disk = full()
    now.disk.catch(() => undefined)
  }

  test('alerts are shown all the same, and an acknowledgement answers that it is not stored yet', async () => {
    isFull()
    const { id } = await raise()
    await expect(now.watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(shown()).toMatchObject([{ id, acknowledged: true }])
    now.disk = Promise.resolve()
    await now.ground.clock.advance(5_000)
    await expect.poll(() => collect(alertStore(now.ground.db).all())).toHaveLength(1)
    expect([...(await now.watch.acknowledge([id], 'anna'))]).toEqual([id])
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('a refused change is stored by a repeated request once there is room', async () => {
    const { id } = await raise()
    isFull()
    await expect(now.watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(now.watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    now.disk = Promise.resolve()
    expect([...(await now.watch.acknowledge([id], 'anna'))]).toEqual([id])
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('a refused change is stored when the disk accepts writes again', async () => {
    const { id } = await raise()
    isFull()
    await expect(now.watch.acknowledge([id], 'anna')).rejects.toMatchObject({ code: 'storage_unavailable' })
    now.disk = Promise.resolve()
    await now.watch.storageIsBack()
    await begin()
    expect(shown()).toMatchObject([{ id, acknowledged: true, ackUser: 'anna' }])
  })

  test('it stops with no pending work', async () => {
    await raise()
    isFull()
    guests(0.1)
    await expect.poll(shown).toEqual([])
    now.store.setMemory = full
    await expect(now.watch.stop()).rejects.toThrow('full')
    expect(now.ground.clock.pending()).toBe(0)
  })
})
