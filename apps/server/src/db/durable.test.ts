import { sql } from 'kysely'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openServerData, type ServerData } from '../start/open-postgres.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import type { Database } from './database.ts'
import type { PostgresSettings } from './postgres-settings.ts'

const usedIn = async ({ query }: Database) =>
  (await sql<{ synchronous_commit: string }>`SHOW synchronous_commit`.execute(query)).rows[0]!
    .synchronous_commit

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] a commit is durable', () => {
  let server: PostgresServer
  let folder: string
  let opened: ServerData[]
  async function open(settings: PostgresSettings): Promise<ServerData> {
    const data = await openServerData(settings, { nowMs: Date.now(), keyFile: path.join(folder, 'key') })
    opened.push(data)
    return data
  }

  beforeAll(async () => {
    // Commits that need not be durable are written after ten seconds.
    server = await startPostgres({ settings: { wal_writer_delay: '10s' } })
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-durable-'))
    opened = []
  })
  afterEach(async () => {
    for (const data of opened.splice(0)) await data.close()
    await server.admin('ALTER SYSTEM RESET synchronous_commit')
    await server.admin('SELECT pg_reload_conf()')
    fs.rmSync(path.join(folder, 'key'), { force: true })
  })
  afterAll(async () => {
    await server.remove()
    fs.rmSync(folder, { recursive: true })
  })

  const answerEarly = async () => {
    await server.admin('ALTER SYSTEM SET synchronous_commit = off')
    await server.admin('SELECT pg_reload_conf()')
    const chosen = () => server.admin('SHOW synchronous_commit')
    await expect.poll(chosen).toEqual([{ synchronous_commit: 'off' }])
  }

  test.each(['before', 'after'])(
    'also on a server that answers before it has written, set so %s Pulse connects',
    async (when) => {
      const settings = await server.database()
      if (when === 'before') await answerEarly()
      const { db } = await open(settings)
      if (when === 'after') await answerEarly()
      const one = (key: string) => db.query.insertInto('settings').values({ key, value: 'x', updated_at: 1 })
      const wanted = Array.from({ length: 20 }, (_, n) => `key ${n + 10}`)
      for (const [n, key] of wanted.entries())
        await (n % 2 ? db.transaction([one(key).compile()]) : one(key).execute())
      await server.halt('crash')
      await server.rise()
      const rows = await server.admin('SELECT key FROM settings ORDER BY key', settings.database)
      expect(rows.map(({ key }) => key)).toEqual(wanted)
    },
  )

  test.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_write', 'remote_write'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('where the database says %s, a connection of Pulse has %s', async (chosen, used) => {
    const settings = await server.database()
    await server.admin(`ALTER DATABASE ${settings.database} SET synchronous_commit = ${chosen}`)
    const { db } = await open(settings)
    expect(await usedIn(db)).toBe(used)
  })
})
