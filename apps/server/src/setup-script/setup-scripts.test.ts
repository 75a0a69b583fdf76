import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { steppedClock } from '../testing/people.ts'
import { createSetupScripts, type SetupScriptEdges } from './setup-scripts.ts'

const by = { id: 'user:1', name: 'anna', method: 'session' } as const
const direct = { site: 'https://192.0.2.1:7655', viaTrustedProxy: false }
const input = { type: 'pve', host: 'pve1' } as const

function anArea(given: Partial<SetupScriptEdges> = {}) {
  const notCalled = () => {
    throw new Error('no node is meant here')
  }
  return createSetupScripts({
    connections: { list: () => [], add: notCalled, change: notCalled, nameOf: notCalled },
    publicUrl: undefined,
    tls: undefined,
    readFingerprint: async () => undefined,
    temperatureFunction: async () => '',
    hasLeft: () => false,
    clock: steppedClock(),
    log: pino({ level: 'silent' }),
    publish: () => {},
    ...given,
  })
}

describe('[platform 7.5] the address in a command', () => {
  test('is the configured one, however the caller came in', () => {
    const area = anArea({ publicUrl: 'https://pulse.example.com' })
    expect(area.issue(input, by, direct).url).toMatch(/^https:\/\/pulse\.example\.com\/api\/setup-script\?/)
  })

  test('is otherwise that of the caller; without a usable one there is no command', () => {
    expect(anArea().issue(input, by, direct).url).toMatch(/^https:\/\/192\.0\.2\.1:7655\/api\//)
    const lost = { site: undefined, viaTrustedProxy: false }
    expect(() => anArea().issue(input, by, lost)).toThrow('PULSE_PUBLIC_URL')
  })

  test('an administrator may name either, and no other', async () => {
    const area = anArea({ publicUrl: 'https://pulse.example.com' })
    const ask = (pulse_url: string) => area.scriptForAdministrator({ ...input, pulse_url }, direct)
    for (const own of ['https://pulse.example.com', 'https://192.0.2.1:7655']) {
      expect(await ask(own)).toContain("PULSE_URL='https://pulse.example.com'")
    }
    await expect(ask('https://pulse.example.com.evil.example')).rejects.toThrow(
      'not an address of this server',
    )
    await expect(ask('nonsense')).rejects.toThrow('not an address of this server')
  })
})

test('an answer says how long its code counts, whatever clock reads it', () => {
  const clock = steppedClock()
  const before = clock.now()
  const { expires, expiresInSeconds } = anArea({ clock }).issue(input, by, direct)
  expect(expiresInSeconds).toBe(300)
  expect(expires).toBeGreaterThanOrEqual(Math.floor(before / 1000) + 300)
  expect(expires).toBeLessThanOrEqual(clock.now() / 1000 + 300)
})

describe('a key to check instead of a certificate', () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-area-'))
  const openssl = '/usr/bin/openssl'
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=pulse',
    '-keyout',
    'key',
    '-out',
    'cert',
  ]
  spawnSync(openssl, words, { cwd: dir })
  const tls = { cert: fs.readFileSync(path.join(dir, 'cert')) }
  fs.rmSync(dir, { recursive: true })

  test('stands in the command and in the script when this very server shows it', async () => {
    const area = anArea({ tls })
    const { command, setupCode } = area.issue(input, by, direct)
    expect(command).toMatch(/\| curl -fsS --insecure --pinnedpubkey '?sha256\/\/[\w+/=]{44}/)
    expect(await area.scriptForCode({ ...input }, setupCode)).toMatch(/TLS_PIN='sha256\/\/[\w+/=]{44}'/)
  })

  test.each([
    ['behind a proxy', { ...direct, viaTrustedProxy: true }, undefined],
    ['under a configured address that is another one', direct, 'https://pulse.example.com'],
    ['over plain HTTP', { ...direct, site: 'http://192.0.2.1:7655' }, undefined],
  ])('is left out %s', (_where, way, publicUrl) => {
    const { command } = anArea({ tls, publicUrl }).issue(input, by, way)
    expect(command).toMatch(/\| curl -fsS -K - /)
  })
})
