import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { alertStore } from '../../db/alerts.ts'
import {
  fenceOf,
  hasUnsavedEngines,
  loseAnswers,
  notesIn,
  unsavedProcesses,
} from '../../testing/unsaved-processes.ts'
import { unsavedStream, unsavedWrites } from '../nats/subjects.ts'

const found = hasUnsavedEngines()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 1] what NATS keeps for the database', () => {
  const { aProcess, halt, rise, nats } = unsavedProcesses()
  const isBack = ({ data }: Awaited<ReturnType<typeof aProcess>>) =>
    expect.poll(() => notesIn(data).then(() => 'back', String), limit).toBe('back')

  test('is not written over what came later, if another client sends it again', async () => {
    const a = await aProcess()
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    const { data, header } = (await a.bus.manager.streams.getMessage(unsavedStream, { seq: 1 }))!
    await rise()
    await isBack(a)
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
    header.delete('Nats-Expected-Last-Sequence')
    await a.bus.jetstream.publish(unsavedWrites, data, { headers: header })
    header.set('Pulse-Number', '9')
    await a.bus.jetstream.publish(unsavedWrites, data, { headers: header })
    const b = await aProcess()
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('is not written over what came later, if its arrival is unknown and NATS is still away then', async () => {
    const a = await aProcess({ retries: fakeClock() })
    await a.lead(fenceOf(1))
    await halt()
    loseAnswers(a.bus)
    await expect(a.note('a', '1')).rejects.toThrow()
    const { info } = a.bus.manager.streams
    a.bus.manager.streams.info = () => Promise.reject(new Error('no answer'))
    await rise()
    await isBack(a)
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
    a.bus.manager.streams.info = info
    const b = await aProcess()
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('outlives the loss of the stream, with what is added later', async () => {
    const [a, b] = [await aProcess({ retries: fakeClock() }), await aProcess()]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await a.bus.manager.streams.delete(unsavedStream)
    await a.note('b', '2')
    await a.end()
    await rise()
    await isBack(b)
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 1', 'b 2'])
  })

  test('outlives the loss of the data of NATS, also if nothing is added', async () => {
    const [a, b] = [await aProcess({ retries: fakeClock() }), await aProcess({ retries: fakeClock() })]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await nats().halt()
    fs.rmSync(path.join(nats().folder, 'jetstream'), { recursive: true })
    await nats().rise()
    const messages = () =>
      b.bus.manager.streams.info(unsavedStream).then(({ state }) => state.messages, String)
    await expect.poll(messages, limit).toBe(1)
    await a.end()
    await rise()
    await isBack(b)
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 1'])
  })

  test('is no promise of a process that may have been replaced while it was sent', async () => {
    const a = await aProcess({ retries: fakeClock() })
    await a.lead(fenceOf(1))
    await halt()
    const { publish } = a.bus.jetstream
    a.bus.jetstream.publish = (...message) => {
      a.process.leads = false
      return publish.apply(a.bus.jetstream, message)
    }
    await expect(a.note('a', '1')).rejects.toThrow()
    await rise()
  })

  test('is removed by the process that leads only', async () => {
    const clock = fakeClock()
    const [a, b] = [await aProcess({ retries: clock }), await aProcess({ retries: fakeClock() })]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await rise()
    await isBack(a)
    // writes it; its removal is due
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
    a.process.leads = false
    await a.bus.manager.streams.delete(unsavedStream)
    await b.lead(fenceOf(2))
    await halt()
    await b.note('b', '1')
    const removed: unknown[] = []
    const { purge } = a.bus.manager.streams
    a.bus.manager.streams.purge = (...which) => {
      removed.push(which)
      return purge.apply(a.bus.manager.streams, which)
    }
    await clock.advance(10_000)
    // follows the attempts of before
    await a.note('c', '1').catch(() => undefined)
    expect(removed).toEqual([])
    expect((await b.bus.manager.streams.info(unsavedStream)).state.messages).toBe(1)
    await rise()
    await isBack(b)
  })

  test.each([
    ['of the process that kept them', 'a'],
    ['of the next one that leads', 'b'],
  ])('is written in few transactions %s', async (_, who) => {
    const [a, b] = [await aProcess({ retries: fakeClock() }), await aProcess()]
    await a.lead(fenceOf(1))
    await halt()
    for (let n = 0; n < 300; n++) await a.note(`g${String(n).padStart(3, '0')}`, '1')
    await rise()
    await isBack(a)
    const [writer, before] = who === 'a' ? [a, a.stored()] : [b, b.stored()]
    if (who === 'a') await expect.poll(() => a.note('a', '1').catch(() => 'refused'), limit).toBe(undefined)
    else await isBack(b).then(() => b.lead(fenceOf(2)))
    expect(await notesIn(a.data)).toHaveLength(who === 'a' ? 301 : 300)
    expect(writer.stored() - before).toBeLessThan(10)
  })

  test('has the memory of alerts and the end of their history too', async () => {
    const a = await aProcess({ retries: fakeClock() })
    await a.lead(fenceOf(1))
    const alerts = alertStore(a.db)
    await alerts.setMemory('1')
    await halt()
    await alerts.setMemory('2')
    await alerts.clearHistory()
    await a.end()
    await rise()
    const b = await aProcess()
    await isBack(b)
    await b.lead(fenceOf(2))
    expect(await alertStore(b.db).memory()).toBe('2')
  })
})
