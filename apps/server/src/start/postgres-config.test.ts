import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPostgresConfig } from './postgres-config.ts'

const read = (url: string, more: Record<string, string> = {}) =>
  readPostgresConfig({ PULSE_DATABASE_URL: url, ...more })

function file(content: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const name = path.join(folder, 'file')
  fs.writeFileSync(name, content)
  return name
}

test('[N 1] without a URL, Pulse keeps its data in its folder', () => {
  expect(read('')).toBeUndefined()
  expect(readPostgresConfig({})).toBeUndefined()
})

test('[N 1] on this machine a connection is not encrypted', () => {
  expect(read('postgres://pulse:a%40b@127.0.0.1:25432/pulse')).toEqual({
    host: '127.0.0.1',
    port: 25_432,
    user: 'pulse',
    password: 'a@b',
    database: 'pulse',
    ssl: false,
  })
  expect(read('postgresql://pulse@localhost/pulse')).toMatchObject({ port: 5432, ssl: false })
  expect(read('postgres://pulse@[::1]/pulse')).toMatchObject({ host: '::1', ssl: false })
  expect(read('postgres://pulse@socket/pulse?host=/run/postgresql')).toMatchObject({
    host: '/run/postgresql',
    ssl: false,
  })
})

test('[N 1] to another machine it is, and the server proves its name, unless the URL says otherwise', () => {
  const ssl = (more = '', env = {}) => read(`postgres://pulse@db.example.test/pulse${more}`, env)!.ssl
  expect(ssl()).toEqual({ servername: 'db.example.test' })
  expect(ssl('?sslmode=disable')).toBe(false)
  expect(ssl('?sslmode=require')).toMatchObject({ rejectUnauthorized: false })
  expect(ssl('?sslmode=verify-ca')).toMatchObject({ checkServerIdentity: expect.any(Function) })
  expect(ssl('?sslmode=verify-full', { PULSE_DATABASE_CA_FILE: file('CA') })).toEqual({
    ca: 'CA',
    servername: 'db.example.test',
  })
  expect(read('postgres://pulse@127.0.0.1/pulse', { PULSE_DATABASE_CA_FILE: file('CA') })!.ssl).toEqual({
    ca: 'CA',
  })
})

test('[N 1] the password is in a file', () => {
  const PULSE_DATABASE_PASSWORD_FILE = file('s3cret \n')
  expect(read('postgres://pulse@127.0.0.1/pulse', { PULSE_DATABASE_PASSWORD_FILE })!.password).toBe('s3cret ')
})

test('[N 1] an optional file that is named, but empty, counts as none', () => {
  const empty = { PULSE_DATABASE_PASSWORD_FILE: file('\n'), PULSE_DATABASE_CA_FILE: file('') }
  expect(read('postgres://pulse:s3cret@127.0.0.1/pulse', empty)).toEqual(
    read('postgres://pulse:s3cret@127.0.0.1/pulse'),
  )
  expect(read('postgres://pulse@db.example.test/pulse', empty)).toEqual(
    read('postgres://pulse@db.example.test/pulse'),
  )
})

test.each([
  ['mysql://pulse@db/pulse', 'is not the URL of a PostgreSQL database'],
  ['db.example.test', 'is not the URL of a PostgreSQL database'],
  ['postgres://db/pulse', 'has no user'],
  ['postgres://pulse:s3cret@db', 'has no database'],
  ['postgres://pulse:s3cret@db/pulse?ssl_mode=disable', 'unknown parameter "ssl_mode"'],
  ['postgres://pulse:s3cret@db/pulse?sslmode=prefer', 'sslmode is "prefer"'],
  ['postgres://pulse:s3cret%@db/pulse', 'begins no escaped character'],
])('%s is refused, and its password is in no message', (url, problem) => {
  expect(() => read(url)).toThrow(problem)
  expect(() => read(url)).not.toThrow('s3cret')
})

test('[N 1] two passwords, and a file that cannot be read, are refused', () => {
  const more = { PULSE_DATABASE_PASSWORD_FILE: file('a') }
  expect(() => read('postgres://pulse:b@db/pulse', more)).toThrow('Keep it in one of the two places')
  for (const name of ['PULSE_DATABASE_PASSWORD_FILE', 'PULSE_DATABASE_CA_FILE'])
    expect(() => read('postgres://pulse@db/pulse', { [name]: '/nowhere/file' })).toThrow(
      `${name}: /nowhere/file cannot be read`,
    )
})
