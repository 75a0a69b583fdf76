import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { knownMigrations } from '../db/migrate.ts'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openServerData, type ServerData } from './open-postgres.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] a start on PostgreSQL', () => {
  let server: PostgresServer
  let settings: PostgresSettings
  let own: ServerData
  let folder: string
  const open = (more: Partial<PostgresSettings> = {}, keyFile = path.join(folder, '.encryption.key')) =>
    openServerData({ ...settings, ...more }, { nowMs: Date.now(), keyFile })

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-'))
    settings = await server.database()
    own = await open()
  })
  afterEach(async () => {
    await own.close()
    fs.rmSync(folder, { recursive: true })
  })

  test('brings the tables up to date once, however many processes start at once', async () => {
    settings = await server.database()
    const all = await Promise.all([open(), open(), open()])
    const applied = await all[0].db.query.selectFrom('schema_migrations').select('name').execute()
    expect(applied.map(({ name }) => name).toSorted()).toEqual(knownMigrations())
    for (const one of all) await one.close()
  })

  test('refuses the data of a newer version, and changes nothing', async () => {
    await own.run([{ sql: `INSERT INTO schema_migrations VALUES ('9999-future.sql', 1)`, parameters: [] }])
    await expect(open()).rejects.toThrow(/newer version of Pulse \(9999-future\.sql\)/)
  })

  test('needs the key of the secrets in it, which the first process creates', async () => {
    const other = path.join(folder, 'other.key')
    await expect(open({}, other)).rejects.toThrow(/is missing, but the database .* has secrets/)
    expect(fs.existsSync(other)).toBe(false)
    fs.writeFileSync(other, Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
    await expect(open({}, other)).rejects.toThrow(/is not the one that the secrets in the database/)
    const again = await open()
    expect(again.vault.open(own.vault.seal('a', 'b'), 'b')).toBe('a')
    await again.close()
  })

  test('says why it cannot connect, without the password', async () => {
    await own.close()
    const failed = open({ database: 'nowhere', password: 's3cret' })
    await expect(failed).rejects.toThrow(/nowhere at 127\.0\.0\.1:\d+ cannot be opened: .*does not exist/)
    await expect(failed).rejects.not.toThrow('s3cret')
    own = await open()
  })
})
