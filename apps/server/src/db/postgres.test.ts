import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { openServerData, type ServerData } from '../start/open-postgres.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { startTcpRelay } from '../testing/tcp-relay.ts'
import { collect, pageRows, tablePages } from './pages.ts'
import type { DatabaseEvent } from './open.ts'
import { openPostgres } from './postgres.ts'
import type { PostgresSettings } from './postgres-settings.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] PostgreSQL', () => {
  let server: PostgresServer
  let settings: PostgresSettings
  let own: ServerData
  let events: DatabaseEvent[]
  let folder: string
  const open = (more: Partial<PostgresSettings> = {}, clock = realClock) =>
    openServerData(
      { ...settings, ...more },
      {
        nowMs: Date.now(),
        keyFile: path.join(folder, '.encryption.key'),
        clock,
        onEvent: (event) => void events.push(event),
      },
    )
  const put = (key: string, value = 'x') =>
    own.db.query.insertInto('settings').values({ key, value, updated_at: 1 }).compile()
  const keys = async () =>
    (await own.db.query.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key)

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    events = []
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-'))
    settings = await server.database()
    own = await open()
  })
  afterEach(async () => {
    await own.close()
    fs.rmSync(folder, { recursive: true })
  })

  test('a table has another mark after each change of its rows, also of another process, and no other one', async () => {
    const other = await open()
    const { query } = other.db
    const seen: string[] = []
    const note = async () => {
      const [settings, users] = await own.marks(['settings', 'users'])
      expect(users).toBe('0 0')
      seen.push(settings!)
    }
    await note()
    for (const key of ['a', 'b']) {
      await query.insertInto('settings').values({ key, value: 'x', updated_at: 1 }).execute()
      await note()
    }
    await query.updateTable('settings').set({ value: 'y' }).where('key', '=', 'a').execute()
    await note()
    await query.deleteFrom('settings').where('key', '=', 'b').execute()
    await note()
    await other.db.transaction([
      query.deleteFrom('settings').where('key', '=', 'a').compile(),
      query.insertInto('settings').values({ key: 'c', value: 'x', updated_at: 1 }).compile(),
    ])
    await note()
    expect(new Set(seen).size).toBe(seen.length)
    const before = seen.at(-1)
    await note()
    expect(seen.at(-1)).toBe(before)
    await other.close()
  })

  test('a process learns how far its wall clock is from that of the server', async () => {
    const hourMs = 3_600_000
    let aheadMs = hourMs
    const other = await open({}, { ...realClock, now: () => Date.now() + aheadMs })
    const hours = () => [own, other].map((one) => Math.round(one.clockAheadMs()! / hourMs) + 0)
    expect(hours()).toEqual([0, 1])
    aheadMs = -2 * hourMs
    await other.marks(['settings'])
    expect(hours()).toEqual([0, -2])
    await other.close()
  })

  test('a table has no mark at a standby, which may have old rows, until it is promoted', async () => {
    const standby = await startPostgres()
    const data = openPostgres(await standby.database(), { clock: realClock, onEvent() {} })
    await data.run([{ sql: 'CREATE TABLE settings (key text)', parameters: [] }])
    const mark = () => data.marks(['settings']).catch((error: Error) => error.message)
    expect(await mark()).toEqual(['0 0'])
    const [{ data_directory: folder }] = (await standby.admin('SHOW data_directory')) as [
      { data_directory: string },
    ]
    await standby.halt()
    fs.writeFileSync(path.join(folder, 'standby.signal'), '')
    await standby.rise()
    const [limit, isBack] = [{ timeout: within(30_000) }, /standby|0 0/]
    await expect.poll(async () => String(await mark()), limit).toMatch(isBack)
    expect(await mark()).toBe('the server is a standby')
    await standby.admin('SELECT pg_promote()')
    expect(await mark()).toEqual(['0 0'])
    await data.close()
    await standby.remove()
  })

  test('counts, sums and big integers are numbers, and a change says how many rows it had', async () => {
    const updated_at = 4_102_444_800_000
    const { query } = own.db
    await query.insertInto('settings').values({ key: 'a', value: 'x', updated_at }).execute()
    const row = await query
      .selectFrom('settings')
      .select(({ fn }) => [
        'updated_at',
        fn.countAll<number>().as('rows'),
        fn.sum<number>('updated_at').as('sum'),
      ])
      .groupBy('updated_at')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ updated_at, rows: 1, sum: updated_at })
    const { numDeletedRows } = await query.deleteFrom('settings').executeTakeFirstOrThrow()
    expect(numDeletedRows).toBe(1n)
  })

  test('a duration of a clock with fractions is stored in whole numbers', async () => {
    await own.db.query.insertInto('settings').values({ key: 'a', value: 'x', updated_at: 12.7 }).execute()
    expect(await own.db.query.selectFrom('settings').select('updated_at').execute()).toEqual([
      { updated_at: 13 },
    ])
  })

  test('a transaction takes effect as a whole or not at all', async () => {
    await expect(own.db.transaction([put('a'), put('b'), put('a')])).rejects.toMatchObject({
      isConstraint: true,
    })
    expect(await keys()).toEqual([])
    await own.db.transaction([put('a'), put('b')])
    expect(await keys()).toEqual(['a', 'b'])
  })

  test('a transaction is reported as a change, also if it failed, but not if the server never got it', async () => {
    const written: string[] = []
    const data = openPostgres(settings, {
      clock: realClock,
      onEvent() {},
      onWritten: (table) => void written.push(table),
    })
    await data.db.transaction([put('a')])
    expect(written).toEqual(['settings'])
    await expect(data.db.transaction([put('a')])).rejects.toMatchObject({ isConstraint: true })
    expect(written).toEqual(['settings', 'settings'])
    onTestFinished(() => server.rise())
    await server.halt()
    await expect(data.marks(['settings'])).rejects.toThrow()
    await expect(data.db.transaction([put('b')])).rejects.toThrow()
    expect(written).toHaveLength(2)
    await data.close()
  })

  test('calls take effect in their order, without waiting for each other', async () => {
    const set = (value: string) => own.db.query.updateTable('settings').set({ value }).execute()
    void own.db.transaction([put('a')])
    for (let n = 0; n < 50; n++) void set(`${n}`)
    expect(await own.db.query.selectFrom('settings').select('value').execute()).toEqual([{ value: '49' }])
  })

  test('any text is stored, without NUL, and sorts as in SQLite, whatever the language of the server', async () => {
    await own.db.transaction([put('b', 'a\0b'), put('B'), put('ä', 'Zoë 🔑'), put('a-b'), put('a b')])
    expect(await keys()).toEqual(['B', 'a b', 'a-b', 'b', 'ä'])
    const values = await own.db.query.selectFrom('settings').select('value').orderBy('key').execute()
    expect(values.map(({ value }) => value)).toEqual(['x', 'x', 'x', 'a\ufffdb', 'Zoë 🔑'])
  })

  test('a value that SQLite would refuse is refused here, too', async () => {
    await expect(own.db.transaction([put('a', {} as never)])).rejects.toThrow('a object cannot be stored')
    expect(await keys()).toEqual([])
  })

  test('a large table is read page by page, and long rows give a shorter page', async () => {
    await server.admin(
      `INSERT INTO notification_log SELECT 'e' || (x % 7), 'c' || x, repeat('0', 3000) FROM generate_series(1, 5000) x`,
      settings.database,
    )
    const pages: number[] = []
    const seen = await collect(
      (async function* () {
        for await (const rows of tablePages(own.db, 'notification_log', ['episode', 'channel_id'])) {
          pages.push(rows.length)
          yield rows.map(({ episode, channel_id }) => `${episode} ${channel_id}`)
        }
      })(),
    )
    expect(new Set(seen).size).toBe(5_000)
    expect(seen).toEqual(seen.toSorted())
    expect(Math.max(...pages)).toBeLessThan(pageRows)
    expect(pages[0]).toBeGreaterThan(300)
  })

  test('transactions of two processes that wait for each other all take effect', async () => {
    await own.db.transaction([put('a'), put('b')])
    const other = await open()
    onTestFinished(() => other.close())
    const add = (key: string) =>
      own.db.query
        .updateTable('settings')
        .set((one) => ({ updated_at: one('updated_at', '+', 1) }))
        .where('key', '=', key)
        .compile()
    const pairs = Array.from({ length: 20 }, (_, n) =>
      n % 2 ? own.db.transaction([add('a'), add('b')]) : other.db.transaction([add('b'), add('a')]),
    )
    await Promise.all(pairs)
    const rows = await own.db.query.selectFrom('settings').select('updated_at').execute()
    expect(rows.map(({ updated_at }) => updated_at)).toEqual([21, 21])
  })

  test('while the server is away a call says so; afterwards the next one succeeds', async () => {
    await own.db.transaction([put('a')])
    await server.halt('crash')
    await expect(own.db.transaction([put('b')])).rejects.toMatchObject({ fault: 'away' })
    await expect(keys()).rejects.toMatchObject({ fault: 'away' })
    expect(own.figures()).toMatchObject({ waiting: 0, failed: 2 })
    await server.rise()
    await expect
      .poll(() => events, { timeout: within(30_000) })
      .toEqual([{ server: 'away', why: expect.any(String) }, { server: 'back' }])
    expect(await keys()).toEqual(['a'])
  })

  test('a server that hangs without a word is given up once, and all who wait are refused then', async () => {
    const relay = await startTcpRelay(server.port)
    const far = await open({ port: relay.port })
    await far.db.transaction([put('a')])
    relay.freeze()
    const calls = Array.from({ length: 200 }, (_, n) => far.db.transaction([put(`b${n}`)]))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).not.toContain('fulfilled')
    expect(events).toEqual([{ server: 'away', why: 'Query read timeout' }])
    relay.thaw()
    await expect.poll(() => events.at(-1), { timeout: within(60_000) }).toEqual({ server: 'back' })
    await far.db.transaction([put('c')])
    expect(await keys()).toEqual(expect.arrayContaining(['a', 'c']))
    await far.close()
    relay.close()
  })

  test('a connection that ends within a transaction fails that call only, and nothing else', async () => {
    const relay = await startTcpRelay(server.port)
    const far = await open({ port: relay.port })
    const other = new pg.Client(settings)
    await other.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE settings')
    const waiting = expect(far.db.transaction([put('a')])).rejects.toMatchObject({ fault: 'away' })
    const isWaiting = 'SELECT 1 FROM pg_stat_activity WHERE wait_event_type = $1'
    await expect
      .poll(async () => (await other.query(isWaiting, ['Lock'])).rows, { timeout: within(30_000) })
      .toHaveLength(1)
    // an error that no listener takes fails the run
    relay.cut()
    await waiting
    await other.end()
    relay.thaw()
    await expect.poll(() => events.at(-1), { timeout: within(60_000) }).toEqual({ server: 'back' })
    await far.db.transaction([put('b')])
    await far.close()
    relay.close()
  })

  test('a call that waits for a lock too long is refused, and its connection returns what it held', async () => {
    await own.db.transaction([put('a')])
    const other = new pg.Client(settings)
    await other.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE settings')
    await expect(own.db.transaction([put('b')])).rejects.toMatchObject({ fault: 'away' })
    await other.end()
    await own.db.transaction([put('c')])
    expect(await keys()).toEqual(['a', 'c'])
    // the server has answered
    expect(events).toEqual([])
  })
})
