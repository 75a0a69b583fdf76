import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Bus, openBus } from '../cluster/nats/bus.ts'
import { unsavedStream } from '../cluster/nats/subjects.ts'
import { keepUnsavedWrites } from '../cluster/unsaved/unsaved-writes.ts'
import type { Statement } from '../db/messages.ts'
import { realClock } from '../edges.ts'
import { createSignal } from '../signal.ts'
import { openServerData, type ServerData } from '../start/open-postgres.ts'
import { hasNats, type NatsServer, startNats } from './nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from './postgres-server.ts'

export const hasUnsavedEngines = (): boolean => hasNats() && hasPostgres()

interface Own {
  retries?: Pick<Clock, 'after' | 'monotonic'>
  write?: (store: () => Promise<void>, statements: readonly Statement[]) => Promise<void>
}

/** Processes that lead one after the other, over one PostgreSQL and one NATS server. For use in a `describe`. */
export function unsavedProcesses() {
  let [postgres, nats, database] = [] as unknown as [
    PostgresServer,
    NatsServer,
    Awaited<ReturnType<PostgresServer['database']>>,
  ]
  let [folder, ends]: [string, (() => unknown)[]] = ['', []]
  const logged: string[] = []
  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-unsaved-'))
  })
  beforeEach(async () => {
    logged.length = 0
    database = await postgres.database()
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    // after a test that failed in the middle
    if (isHalted) await rise()
    const bus = await aBus()
    await bus.manager.streams.delete(unsavedStream)
    await bus.close()
  })
  let isHalted = false
  const halt = async () => {
    isHalted = true
    await postgres.halt()
  }
  const rise = async () => {
    await postgres.rise()
    isHalted = false
  }
  afterAll(async () => {
    await Promise.all([postgres.remove(), nats.remove()])
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const aBus = (onBack = () => {}): Promise<Bus> =>
    openBus(
      { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false },
      { name: 'test', clock: realClock, onLost: () => {}, onBack },
    )

  /** `retries`: the clock of its attempts to write again. `write`: in place of storing what was kept. */
  async function aProcess({ retries = realClock, write = (store) => store() }: Own = {}) {
    const process = { leads: true }
    const back = createSignal()
    const bus = await aBus(back.emit)
    const data = await openServerData(database, { nowMs: 0, keyFile: path.join(folder, database.database!) })
    const log = pino({}, { write: (line) => void logged.push(line) })
    /** transactions of what was kept */
    let stored = 0
    const unsaved = await keepUnsavedWrites({
      ...data,
      leading: {
        write(statements) {
          stored++
          return write(() => data.leading.write(statements), statements)
        },
      },
      bus,
      log,
      replicas: 1,
      clock: retries,
      holdsLease: () => process.leads,
      onBack: back.on,
      onFault: (error) => logged.push(String(error)),
    })
    const end = async () => {
      unsaved.stop()
      await data.close()
      await bus.close()
    }
    ends.push(end)
    const { db } = unsaved
    const note = (guest_key: string, custom_url: string) =>
      db.transaction([
        db.query
          .insertInto('guest_metadata')
          .values({ guest_key, custom_url, wire_id: '', updated_at: 0 })
          .onConflict((conflict) => conflict.column('guest_key').doUpdateSet({ custom_url }))
          .compile(),
      ])
    const lead = async (fence: string) => {
      expect(await data.leading.begin(fence)).toEqual({ fence })
      await unsaved.lead()
    }
    return { lead, data, db, note, end, process, bus, stored: () => stored }
  }

  return {
    aProcess,
    logged,
    /** the database */
    halt,
    rise,
    nats: () => nats,
  }
}

/** What the database has of `note`, in the order of its keys. */
export const notesIn = async ({ db }: ServerData): Promise<string[]> =>
  (await db.query.selectFrom('guest_metadata').selectAll().orderBy('guest_key').execute()).map(
    ({ guest_key, custom_url }) => `${guest_key} ${custom_url}`,
  )

/** of the n-th lead */
export const fenceOf = (n: number): string => `${String(n).padStart(15, '0')}.0000000000000001`

/** What is published from now on arrives, and its sender does not hear of it. */
export function loseAnswers({ jetstream }: Pick<Bus, 'jetstream'>) {
  const { publish } = jetstream
  jetstream.publish = async (...message) => {
    await publish.apply(jetstream, message)
    throw new Error('no answer')
  }
}
