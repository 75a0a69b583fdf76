import { headers } from '@nats-io/transport-node'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { openServerData, type ServerData } from '../start/open-postgres.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { type Bus, openBus } from './bus.ts'
import { packed } from './parts.ts'
import { unsavedStream, unsavedWrites } from './subjects.ts'
import { keepUnsavedWrites } from './unsaved-writes.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 1] what the process that leads writes while the database is away', () => {
  let postgres: PostgresServer
  let nats: NatsServer
  let [folder, ends]: [string, (() => unknown)[]] = ['', []]
  let logged: string[]
  let database: Awaited<ReturnType<PostgresServer['database']>>
  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-unsaved-'))
  })
  beforeEach(async () => {
    logged = []
    database = await postgres.database()
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    const bus = await aBus()
    await bus.manager.streams.delete(unsavedStream)
    await bus.close()
  })
  afterAll(async () => {
    await Promise.all([postgres.remove(), nats.remove()])
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const aBus = (): Promise<Bus> =>
    openBus(
      { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false },
      { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
    )

  async function aProcess() {
    const process = { leads: true }
    const bus = await aBus()
    const data = await openServerData(database, { nowMs: 0, keyFile: path.join(folder, database.database!) })
    const log = pino({}, { write: (line) => void logged.push(line) })
    const unsaved = await keepUnsavedWrites({
      ...data,
      bus,
      log,
      replicas: 1,
      clock: realClock,
      mayAct: () => process.leads,
      onFault: (error) => logged.push(String(error)),
    })
    const end = async () => {
      unsaved.stop()
      await data.close()
      await bus.close()
    }
    ends.push(end)
    const note = (guest_key: string, custom_url: string) =>
      unsaved.db.transaction([
        unsaved.db.query
          .insertInto('guest_metadata')
          .values({ guest_key, custom_url, wire_id: '', updated_at: 0 })
          .onConflict((conflict) => conflict.column('guest_key').doUpdateSet({ custom_url }))
          .compile(),
      ])
    const lead = async (fence: string) => {
      expect(await data.leading.begin(fence)).toEqual({ fence })
      await unsaved.lead()
    }
    return { lead, data, note, end, process, bus }
  }
  const notesIn = async ({ db }: ServerData) =>
    (await db.query.selectFrom('guest_metadata').selectAll().orderBy('guest_key').execute()).map(
      ({ guest_key, custom_url }) => `${guest_key} ${custom_url}`,
    )
  const fence = (n: number) => `${String(n).padStart(15, '0')}.0000000000000001`

  test('reaches it when it is back, in its order, also what follows at once', async () => {
    const a = await aProcess()
    await a.lead(fence(1))
    await a.note('a', '1')
    await postgres.halt()
    await a.note('a', '2')
    await a.note('b', '3'.repeat(2_000_000))
    await a.note('a', '4')
    await postgres.rise()
    await expect.poll(() => a.note('c', '5'), limit).toBe(undefined)
    await expect.poll(() => notesIn(a.data).catch(() => []), limit).toContain('a 4')
    await expect.poll(() => notesIn(a.data), limit).toHaveLength(3)
    const { state } = await a.bus.manager.streams.info(unsavedStream)
    await expect.poll(() => state.messages, limit).toBe(0)
  })

  test('reaches it by the next one that leads, if its process ends before', async () => {
    const [a, b] = [await aProcess(), await aProcess()]
    await a.lead(fence(1))
    await postgres.halt()
    await a.note('a', '1')
    await a.note('a', '2')
    await a.end()
    await postgres.rise()
    await expect.poll(() => notesIn(b.data).catch(() => undefined), limit).toEqual([])
    await b.lead(fence(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
    await b.note('a', '3')
    const c = await aProcess()
    await c.lead(fence(3))
    expect(await notesIn(b.data)).toEqual(['a 3'])
  })

  test('is not written over what came later, if its process ended before NATS had removed it', async () => {
    const a = await aProcess()
    await a.lead(fence(1))
    await postgres.halt()
    await a.note('a', '1')
    const { manager } = a.bus
    const { purge } = manager.streams
    // the database is back, and NATS is not
    manager.streams.purge = () => Promise.reject(new Error('no answer'))
    await postgres.rise()
    await expect.poll(() => notesIn(a.data).catch(() => undefined), limit).toEqual(['a 1'])
    await a.note('a', '2')
    expect((await manager.streams.info(unsavedStream)).state.messages).toBe(1)
    manager.streams.purge = purge
    const b = await aProcess()
    await b.lead(fence(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('is not written over what came later, if NATS kept it and its word of that was lost', async () => {
    const a = await aProcess()
    await a.lead(fence(1))
    await postgres.halt()
    const { publish } = a.bus.jetstream
    a.bus.jetstream.publish = async (...message) => {
      await publish.apply(a.bus.jetstream, message)
      throw new Error('no answer')
    }
    await expect(a.note('a', '1')).rejects.toThrow()
    await postgres.rise()
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
    const b = await aProcess()
    await b.lead(fence(2))
    expect(await notesIn(b.data)).toEqual(['a 2'])
  })

  test('is not kept by one that may have been replaced, and not taken from one that was', async () => {
    const [a, b] = [await aProcess(), await aProcess()]
    await a.lead(fence(1))
    await postgres.halt()
    a.process.leads = false
    await expect(a.note('a', '1')).rejects.toThrow()
    await postgres.rise()
    await expect.poll(() => notesIn(b.data).catch(() => undefined), limit).toEqual([])
    await b.lead(fence(2))
    await postgres.halt()
    await b.note('b', '1')
    a.process.leads = true
    await a.note('a', '1')
    await postgres.rise()
    await expect.poll(() => notesIn(b.data).catch(() => []), limit).toEqual(['b 1'])
    const c = await aProcess()
    await c.lead(fence(3))
    expect(await notesIn(c.data)).toEqual(['b 1'])
  })

  test('is refused if its sender does not have the key', async () => {
    const a = await aProcess()
    for (const bytes of [Buffer.alloc(0), packed('[{"sql":"DELETE FROM meta","parameters":[]}]')]) {
      const head = headers()
      for (const [name, value] of Object.entries({ Fence: fence(1), Part: '1', Parts: '1' }))
        head.set(`Pulse-${name}`, value)
      await a.bus.jetstream.publish(unsavedWrites, bytes, { headers: head })
    }
    await a.lead(fence(1))
    expect(logged.filter((line) => line.includes('no record of this Pulse'))).toHaveLength(2)
    await a.note('a', '1')
    expect(await notesIn(a.data)).toEqual(['a 1'])
  })

  test('fails with the error of the database while NATS is away too', async () => {
    const a = await aProcess()
    await a.lead(fence(1))
    await postgres.halt()
    await nats.halt()
    await expect(a.note('a', '1')).rejects.toThrow(/terminat|connect|ECONNREFUSED/i)
    await nats.rise()
    await postgres.rise()
    await expect.poll(() => a.note('a', '2').catch(() => 'refused'), limit).toBe(undefined)
  })
})
