import { headers } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import {
  fenceOf,
  hasUnsavedEngines,
  loseAnswers,
  notesIn,
  unsavedProcesses,
} from '../../testing/unsaved-processes.ts'
import { packed } from '../nats/parts.ts'
import { unsavedStream, unsavedWrites } from '../nats/subjects.ts'

const found = hasUnsavedEngines()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 1] what the process that leads writes while the database is away', () => {
  const { aProcess, logged, halt, rise, nats } = unsavedProcesses()

  test('reaches it when it is back, in its order, also what follows at once', async () => {
    const a = await aProcess()
    await a.lead(fenceOf(1))
    await a.note('a', '1')
    await halt()
    await a.note('a', '2')
    await a.note('b', '3'.repeat(2_000_000))
    await a.note('a', '4')
    await rise()
    await expect.poll(() => a.note('c', '5'), limit).toBe(undefined)
    await expect.poll(() => notesIn(a.data).catch(() => []), limit).toContain('a 4')
    await expect.poll(() => notesIn(a.data), limit).toHaveLength(3)
    const { state } = await a.bus.manager.streams.info(unsavedStream)
    await expect.poll(() => state.messages, limit).toBe(0)
  })

  test('reaches it by the next one that leads, if its process ends before', async () => {
    const [a, b] = [await aProcess(), await aProcess()]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await a.note('a', '2')
    await a.end()
    await rise()
    await expect.poll(() => notesIn(b.data).catch(() => undefined), limit).toEqual([])
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
    await b.note('a', '3')
    const c = await aProcess()
    await c.lead(fenceOf(3))
    expect(await notesIn(b.data)).toEqual(['a 3'])
  })

  test('is not written over what came later, if its process ended before NATS had removed it', async () => {
    const a = await aProcess()
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    const { manager } = a.bus
    const { purge } = manager.streams
    // the database is back, and NATS is not
    manager.streams.purge = () => Promise.reject(new Error('no answer'))
    await rise()
    await expect.poll(() => notesIn(a.data).catch(() => undefined), limit).toEqual(['a 1'])
    await a.note('a', '2')
    expect((await manager.streams.info(unsavedStream)).state.messages).toBe(1)
    manager.streams.purge = purge
    const b = await aProcess()
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('is not written over what came later, if NATS kept it and its word of that was lost', async () => {
    const a = await aProcess()
    await a.lead(fenceOf(1))
    await halt()
    loseAnswers(a.bus)
    await expect(a.note('a', '1')).rejects.toThrow()
    await rise()
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
    const b = await aProcess()
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('is not kept by one that may have been replaced, and not taken from one that was', async () => {
    const [a, b] = [await aProcess(), await aProcess()]
    await a.lead(fenceOf(1))
    await halt()
    a.process.leads = false
    await expect(a.note('a', '1')).rejects.toThrow()
    await rise()
    await expect.poll(() => notesIn(b.data).catch(() => undefined), limit).toEqual([])
    await b.lead(fenceOf(2))
    await halt()
    await b.note('b', '1')
    a.process.leads = true
    await a.note('a', '1')
    await rise()
    await expect.poll(() => notesIn(b.data).catch(() => []), limit).toEqual(['b 1'])
    const c = await aProcess()
    await c.lead(fenceOf(3))
    expect(await notesIn(c.data)).toEqual(['b 1'])
  })

  test('is refused if its sender does not have the key', async () => {
    const a = await aProcess()
    for (const bytes of [Buffer.alloc(0), packed('[{"sql":"DELETE FROM meta","parameters":[]}]')]) {
      const head = headers()
      for (const [name, value] of Object.entries({ Fence: fenceOf(1), Number: '1', Part: '1', Parts: '1' }))
        head.set(`Pulse-${name}`, value)
      await a.bus.jetstream.publish(unsavedWrites, bytes, { headers: head })
    }
    await a.lead(fenceOf(1))
    expect(logged.filter((line) => line.includes('no record of this Pulse'))).toHaveLength(2)
    await a.note('a', '1')
    expect(await notesIn(a.data)).toEqual(['a 1'])
  })

  test('fails with the error of the database while NATS is away too', async () => {
    const a = await aProcess()
    await a.lead(fenceOf(1))
    await halt()
    await nats().halt()
    await expect(a.note('a', '1')).rejects.toThrow(/terminat|connect|ECONNREFUSED/i)
    await nats().rise()
    await rise()
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
  })
})
