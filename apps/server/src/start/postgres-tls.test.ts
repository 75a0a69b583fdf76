import { createSelfSigned } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOpenssl, makeAuthority } from '../testing/certificates.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openServerData } from './open-postgres.ts'
import { readPostgresConfig } from './postgres-config.ts'

const found = hasPostgres() && hasOpenssl()
if (!found) console.log('skipped: no PostgreSQL or no openssl')

const yearMs = 365 * 86_400_000

/** Only encrypted connections, and only with the password, apart from those of the tests themselves. */
const accounts = 'host all admin 127.0.0.1/32 trust\nhostssl all pulse 127.0.0.1/32 scram-sha-256\n'

describe.skipIf(!found)('[N 1] a PostgreSQL server with TLS', () => {
  let server: PostgresServer
  let folder: string
  let database: string
  const file = (name: string) => path.join(folder, name)
  const write = (name: string, content: string) => {
    fs.writeFileSync(file(name), content)
    return file(name)
  }

  /** What Pulse does with these variables. The file with the password is right unless they name another. */
  async function start(host: string, env: Record<string, string> = {}, mode = '') {
    const settings = readPostgresConfig({
      PULSE_DATABASE_URL: `postgres://pulse@${host}:${server.port}/${database}${mode}`,
      PULSE_DATABASE_PASSWORD_FILE: file('password'),
      ...env,
    })!
    const data = await openServerData(settings, { nowMs: Date.now(), keyFile: file('encryption.key') })
    await data.close()
  }
  const own = () => ({ PULSE_DATABASE_CA_FILE: file('own.pem') })

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-postgres-tls-'))
    makeAuthority(folder, 'other')
    const { cert, key } = makeAuthority(folder, 'own').sign('server', 'DNS:localhost')
    const read = (name: string) => fs.readFileSync(name, 'utf8')
    server = await startPostgres({
      settings: { ssl: 'on' },
      files: { 'server.crt': read(cert), 'server.key': read(key), 'pg_hba.conf': accounts },
    })
    ;({ database } = await server.database())
    await server.admin(`CREATE ROLE pulse LOGIN PASSWORD 'the right one'`)
    await server.admin(`ALTER DATABASE ${database} OWNER TO pulse`)
    write('password', 'the right one\n')
  })
  afterAll(async () => {
    await server?.remove()
    fs.rmSync(folder, { recursive: true })
  })

  test.each([
    {
      when: 'has expired',
      madeAt: (nowMs: number) => nowMs - 11 * yearMs,
      remedy: /expired.*Renew the certificate/s,
    },
    {
      when: 'is not valid yet',
      madeAt: (nowMs: number) => nowMs + yearMs,
      remedy: /not yet valid.*Check the clocks/s,
    },
  ])('is refused if its certificate $when, and the message says what helps', async ({ madeAt, remedy }) => {
    const { certPem, keyPem } = await createSelfSigned('db', '127.0.0.1', 'Database', madeAt(Date.now()))
    const other = await startPostgres({
      settings: { ssl: 'on' },
      files: { 'server.crt': certPem, 'server.key': keyPem },
    })
    const settings = readPostgresConfig({
      PULSE_DATABASE_URL: `postgres://admin@127.0.0.1:${other.port}/postgres`,
      PULSE_DATABASE_CA_FILE: write('other-time.pem', certPem),
    })!
    const failed = openServerData(settings, { nowMs: Date.now(), keyFile: file('encryption.key') })
    await expect(failed).rejects.toThrow(remedy)
    await expect(failed).rejects.not.toThrow(/PULSE_DATABASE_CA_FILE/)
    await other.remove()
  })

  test('is used if its certificate is of the named authority and for its name', async () => {
    await expect(start('localhost', own())).resolves.toBeUndefined()
  })

  test('is refused if its certificate is of another authority', async () => {
    const failed = start('localhost', { PULSE_DATABASE_CA_FILE: file('other.pem') })
    await expect(failed).rejects.toThrow(/certificate.*PULSE_DATABASE_CA_FILE/s)
  })

  test('is refused if no authority is named, as one of its own', async () => {
    await expect(start('localhost', {}, '?sslmode=verify-full')).rejects.toThrow(/PULSE_DATABASE_CA_FILE/)
  })

  test('is refused if its certificate is for another name, unless the URL says that any will do', async () => {
    await expect(start('127.0.0.1', own())).rejects.toThrow(/altnames.*PULSE_DATABASE_URL/s)
    await start('127.0.0.1', own(), '?sslmode=verify-ca')
    await start('127.0.0.1', {}, '?sslmode=require')
  })

  test('refuses a connection that is not encrypted', async () => {
    await expect(start('localhost')).rejects.toThrow(/no encryption.*sslmode/s)
  })

  test('is needed for an encrypted connection', async () => {
    const plain = await startPostgres()
    const url = `postgres://admin@127.0.0.1:${plain.port}/postgres?sslmode=require`
    const settings = readPostgresConfig({ PULSE_DATABASE_URL: url })!
    const failed = openServerData(settings, { nowMs: Date.now(), keyFile: file('encryption.key') })
    await expect(failed).rejects.toThrow(/does not support SSL.*sslmode=disable.*PULSE_DATABASE_URL/s)
    await plain.remove()
  })

  test('refuses a start without a password, and the message names its file, which may be empty', async () => {
    for (const PULSE_DATABASE_PASSWORD_FILE of ['', write('none', '\n')])
      await expect(start('localhost', { ...own(), PULSE_DATABASE_PASSWORD_FILE })).rejects.toThrow(
        /password must be.*PULSE_DATABASE_PASSWORD_FILE/s,
      )
  })

  test('refuses another password, and the message has none', async () => {
    const failed = start('localhost', {
      ...own(),
      PULSE_DATABASE_PASSWORD_FILE: write('wrong', 'the wrong one'),
    })
    await expect(failed).rejects.toThrow(/password authentication failed.*PULSE_DATABASE_PASSWORD_FILE/s)
    await expect(failed).rejects.not.toThrow(/the wrong one/)
  })
})
