import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openServerData } from '../start/open-postgres.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { fenceAfter } from './fence.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

const limit = { timeout: within(30_000) }

const lease = (n: number, epoch = 1) => `${String(epoch).padStart(15, '0')}.${String(n).padStart(16, '0')}`

describe.skipIf(!found)('[N 2] processes that lead, one after the other', () => {
  let server: PostgresServer
  let folder: string
  beforeAll(async () => {
    server = await startPostgres()
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-'))
  })
  afterAll(async () => {
    await server.remove()
    fs.rmSync(folder, { recursive: true })
  })

  async function start(settings: Awaited<ReturnType<PostgresServer['database']>>) {
    let fenced = 0
    const own = await openServerData(settings, {
      nowMs: 1,
      keyFile: path.join(folder, 'key'),
      clock: realClock,
      onEvent: () => {},
      onFenced: () => void fenced++,
    })
    const write = (key: string) =>
      own.db.query.insertInto('settings').values({ key, value: '', updated_at: 1 }).execute()
    return { own, write, fenced: () => fenced }
  }

  test('only the last one writes, and one that was replaced leads no more, with whatever lease', async () => {
    const settings = await server.database()
    const [a, b] = [await start(settings), await start(settings)]
    expect(await a.own.leading.begin(lease(10))).toEqual({ fence: lease(10) })
    await a.write('by a')
    expect(await b.own.leading.begin(lease(12))).toEqual({ fence: lease(12) })
    await b.write('by b')
    await expect(a.write('late')).rejects.toMatchObject({ fault: 'fenced' })
    expect(a.fenced()).toBe(1)
    expect(await a.own.leading.begin(lease(14))).toEqual({ newer: lease(12) })
    await b.write('still by b')
    const rows = await b.own.db.query.selectFrom('settings').select('key').orderBy('key').execute()
    expect(rows.map(({ key }) => key)).toEqual(['by a', 'by b', 'still by b'])
    for (const one of [a, b]) await one.own.close()
  })

  test('the same one goes on with a lease that it has claimed again', async () => {
    const a = await start(await server.database())
    expect(await a.own.leading.begin(lease(1))).toEqual({ fence: lease(1) })
    expect(await a.own.leading.begin(lease(2))).toEqual({ fence: lease(2) })
    await a.write('by a')
    await a.own.close()
  })

  test('of leases from an older copy, one leads if no other has begun since it was refused', async () => {
    const settings = await server.database()
    const [before, a, b] = [await start(settings), await start(settings), await start(settings)]
    expect(await before.own.leading.begin(lease(90))).toEqual({ fence: lease(90) })
    expect(await a.own.leading.begin(lease(20))).toEqual({ newer: lease(90) })
    expect(await b.own.leading.begin(lease(21))).toEqual({ newer: lease(90) })
    expect(await b.own.leading.begin(lease(21), lease(90))).toEqual({ fence: lease(21, 2) })
    expect(await a.own.leading.begin(lease(20), lease(90))).toEqual({ newer: lease(21, 2) })
    await b.write('by b')
    await expect(before.write('late')).rejects.toMatchObject({ fault: 'fenced' })
    expect(await before.own.leading.begin(lease(22), lease(21, 2))).toEqual({ newer: lease(21, 2) })
    for (const one of [before, a, b]) await one.own.close()
  })

  test('and those that wait have no database while it takes no writes, such as after a failover to a standby', async () => {
    const settings = await server.database()
    const [leads, waits] = [await start(settings), await start(settings)]
    expect(await leads.own.leading.begin(lease(1))).toEqual({ fence: lease(1) })
    const confirmed = async () =>
      (await Promise.allSettled([leads, waits].map(({ own }) => own.leading.confirm()))).map(
        ({ status }) => status,
      )
    expect(await confirmed()).toEqual(['fulfilled', 'fulfilled'])
    const setReadOnly = async (isReadOnly: boolean) => {
      await server.admin(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly}`)
      await server.admin('SELECT pg_reload_conf()')
    }
    await setReadOnly(true)
    await expect.poll(confirmed, limit).toEqual(['rejected', 'rejected'])
    await setReadOnly(false)
    await expect.poll(confirmed, limit).toEqual(['fulfilled', 'fulfilled'])
    for (const one of [leads, waits]) await one.own.close()
  })
})

test('a lease of servers that have lost their data comes after those before, whatever their clock says', () => {
  expect(fenceAfter('', lease(1))).toBe(lease(1))
  expect(fenceAfter(lease(5), lease(5))).toBeUndefined()
  expect(fenceAfter(lease(5), lease(4))).toBeUndefined()
  expect(fenceAfter(lease(5, 7), lease(1, 3))).toBe(lease(1, 8))
})
