import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { toDatabaseError } from '../../db/postgres-errors.ts'
import { fenceOf, hasUnsavedEngines, notesIn, unsavedProcesses } from '../../testing/unsaved-processes.ts'
import { unsavedStream } from '../nats/subjects.ts'

const found = hasUnsavedEngines()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 1] what NATS keeps for the database, while more than the database fails', () => {
  const { aProcess, halt, rise, nats, logged } = unsavedProcesses()
  const isBack = ({ data }: Awaited<ReturnType<typeof aProcess>>) =>
    expect.poll(() => notesIn(data).then(() => 'back', String), limit).toBe('back')
  const written = (a: Awaited<ReturnType<typeof aProcess>>) =>
    expect.poll(() => a.note('z', '1').catch(() => 'refused'), limit).toBe(undefined)

  test('is whole after another process has made the lost stream again', async () => {
    const a = await aProcess({ retries: fakeClock() })
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    const { info } = await a.bus.manager.streams.info(unsavedStream).then(({ config }) => ({ info: config }))
    await a.bus.manager.streams.delete(unsavedStream)
    await a.bus.manager.streams.add(info as never)
    await a.note('b', '2')
    await a.end()
    await rise()
    const b = await aProcess()
    await isBack(b)
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 1', 'b 2'])
  })

  test('is in the lost stream again as soon as the servers can make one', async () => {
    const clock = fakeClock()
    const [a, b] = [await aProcess({ retries: clock }), await aProcess({ retries: fakeClock() })]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    let asked = 0
    const { info } = a.bus.manager.streams
    a.bus.manager.streams.info = (...of) =>
      ++asked > 2 ? info.apply(a.bus.manager.streams, of) : Promise.reject(new Error('no leader'))
    await nats().halt()
    fs.rmSync(path.join(nats().folder, 'jetstream'), { recursive: true })
    await nats().rise()
    await expect.poll(() => asked, limit).toBe(1)
    const messages = async () => {
      await clock.advance(2_000)
      return b.bus.manager.streams.info(unsavedStream).then(({ state }) => state.messages, String)
    }
    await expect.poll(messages, limit).toBe(1)
    await rise()
  })

  test('is not given up for an error that passes', async () => {
    let errors = 2
    const a = await aProcess({
      retries: fakeClock(),
      write: (store) =>
        errors-- > 0
          ? Promise.reject(toDatabaseError(Object.assign(new Error('terminating'), { code: 'XX000' })))
          : store(),
    })
    errors = 0
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await rise()
    await isBack(a)
    errors = 2
    await written(a)
    expect(await notesIn(a.data)).toEqual(['a 1', 'z 1'])
    expect(logged.filter((line) => line.includes('is lost'))).toEqual([])
  })

  test('is given up, with a word in the log, if the database can never take it, and what follows is not', async () => {
    const a = await aProcess({ retries: fakeClock() })
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    const wrong = { sql: 'INSERT INTO there_is_none VALUES (1)', parameters: [] }
    await a.db.transaction([wrong as never])
    await a.note('b', '2')
    await rise()
    await isBack(a)
    await written(a)
    expect(await notesIn(a.data)).toEqual(['a 1', 'b 2', 'z 1'])
    expect(logged.filter((line) => line.includes('is lost'))).toHaveLength(1)
  })

  test('is written once, also if the word of the database is lost', async () => {
    const stored: string[] = []
    let isLost = false
    const a = await aProcess({
      retries: fakeClock(),
      async write(store, statements) {
        await store()
        stored.push(JSON.stringify(statements))
        if (!isLost) return
        isLost = false
        throw toDatabaseError(new Error('the connection has ended'))
      },
    })
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await rise()
    await isBack(a)
    isLost = true
    await written(a)
    await written(a)
    expect(stored.filter((text) => text.includes('"a"'))).toHaveLength(1)
    expect(await notesIn(a.data)).toEqual(['a 1', 'z 1'])
  })

  test('is read although the servers do not answer at first', async () => {
    const [a, b] = [await aProcess({ retries: fakeClock() }), await aProcess()]
    await a.lead(fenceOf(1))
    await halt()
    await a.note('a', '1')
    await a.end()
    await rise()
    await isBack(b)
    const { streams } = b.bus.manager
    for (const name of ['info', 'getMessage'] as const) {
      const own = streams[name] as (...of: unknown[]) => Promise<never>
      let failing = 2
      Object.assign(streams, {
        [name]: (...of: unknown[]) =>
          failing-- > 0 ? Promise.reject(new Error('no answer')) : own.apply(streams, of),
      })
    }
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 1'])
  })

  test('is not removed by who finds an empty stream', async () => {
    const clock = fakeClock()
    const a = await aProcess({ retries: clock })
    const purged: unknown[] = []
    const { purge } = a.bus.manager.streams
    a.bus.manager.streams.purge = (...which) => {
      purged.push(which)
      return purge.apply(a.bus.manager.streams, which)
    }
    await a.lead(fenceOf(1))
    await clock.advance(10_000)
    // follows the attempts of before
    await a.note('a', '1')
    expect(purged).toEqual([])
  })
})
