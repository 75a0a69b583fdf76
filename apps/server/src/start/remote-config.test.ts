import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRemote, readRemoteConfig } from './remote-config.ts'

let dir: string
let env: Record<string, string>
const key = randomBytes(32)
const read = () => readRemoteConfig(env, { tty: false })

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-remote-config-'))
  const file = path.join(dir, 'site.key')
  fs.writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600 })
  env = {
    PULSE_ROLES: 'collect',
    PULSE_SITE: 'Berlin',
    PULSE_SITE_KEY_FILE: file,
    PULSE_NATS_URL: 'tls://nats.example.com',
  }
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

test('the key of a site makes a process a collector without a database', () => {
  expect([isRemote(env), isRemote({ PULSE_SITE: 'Berlin' }), isRemote({})]).toEqual([true, false, false])
  expect(read()).toMatchObject({
    site: 'Berlin',
    key,
    nats: { servers: ['nats.example.com:4222'], isEncrypted: true, apiPrefix: 'PULSE.API' },
    listening: { port: 7655, listenAddress: '127.0.0.1' },
    logLevel: 'info',
    logPretty: false,
  })
})

test.each([
  ['a database', { PULSE_DATABASE_URL: 'postgres://x@y/z' }, /both set/],
  ['another role', { PULSE_ROLES: 'collect,serve' }, /not "collect"/],
  ['no role', { PULSE_ROLES: '' }, /not "collect"/],
  ['no NATS', { PULSE_NATS_URL: '' }, /PULSE_NATS_URL is not/],
  ['no site', { PULSE_SITE: '' }, /PULSE_SITE is missing/],
  ['the main site', { PULSE_SITE: 'main' }, /main site/],
  ['a long name of the site', { PULSE_SITE: 'x'.repeat(101) }, /PULSE_SITE is not the name of a site/],
  ['a key that is not there', { PULSE_SITE_KEY_FILE: '/nowhere/site.key' }, /is missing/],
  ['a level that does not exist', { LOG_LEVEL: 'loud' }, /LOG_LEVEL is "loud"/],
])('%s is refused at the start', (_, change, why) => {
  Object.assign(env, change)
  expect(read).toThrow(why)
})

test('a key that others can read, or that is no key, is refused', () => {
  fs.chmodSync(env['PULSE_SITE_KEY_FILE']!, 0o644)
  expect(read).toThrow(/can be read by other users/)
  fs.writeFileSync(env['PULSE_SITE_KEY_FILE']!, 'short')
  fs.chmodSync(env['PULSE_SITE_KEY_FILE']!, 0o600)
  expect(read).toThrow(/32 bytes/)
})
