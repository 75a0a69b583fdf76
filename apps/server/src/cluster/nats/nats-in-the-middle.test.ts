import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { certificateFor, hasOpenssl } from '../../testing/certificates.ts'
import { type NatsInTheMiddle, startNatsInTheMiddle, withoutTls } from '../../testing/nats-in-the-middle.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from './bus.ts'
import type { NatsSettings } from './nats-settings.ts'

const found = hasNats() && hasOpenssl()
if (!found) console.log('skipped: no NATS or no openssl')

const limit = { timeout: within(30_000) }
const login = { user: 'pulse', password: 'secret' }

describe.skipIf(!found)('[N 2] between Pulse and an encrypted NATS server, a man in the middle', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-middle-'))
  let nats: NatsServer
  let middle: NatsInTheMiddle
  let settings: NatsSettings
  let ends: (() => Promise<void>)[]
  let said: string[]
  beforeAll(async () => {
    const { cert, key } = certificateFor(folder, 'IP:127.0.0.1')
    const signIn = ['--user', login.user, '--pass', login.password]
    nats = await startNats(['--tls', '--tlscert', cert, '--tlskey', key, ...signIn])
    settings = { servers: [], isEncrypted: true, ca: fs.readFileSync(cert, 'utf8'), login }
  })
  afterAll(async () => {
    await nats?.remove()
    fs.rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    ;[ends, said] = [[], []]
    middle = await startNatsInTheMiddle(nats.port)
  })
  afterEach(async () => {
    for (const end of ends.toReversed()) await end()
    middle.close()
  })

  async function open(more: Partial<NatsSettings> = {}): Promise<Bus> {
    const bus = await openBus(
      { ...settings, servers: [`127.0.0.1:${middle.port}`], ...more },
      {
        name: 'test',
        clock: realClock,
        onLost: () => void said.push('lost'),
        onBack: () => void said.push('back'),
      },
    )
    ends.push(bus.close)
    return bus
  }

  test('that passes everything on hears no word', async () => {
    const bus = await open()
    expect([bus.isUp, middle.heard()]).toEqual([true, ''])
  })

  test('that takes the encryption away is refused, and hears no word', async () => {
    middle.forge = withoutTls
    await expect(open()).rejects.toThrow(/TLS/)
    expect(middle.heard()).toBe('')
  })

  test('that comes later hears no word either, and the line is back when it is gone', async () => {
    const bus = await open()
    middle.forge = withoutTls
    middle.cut()
    await expect.poll(() => middle.forged, limit).toBeGreaterThan(1)
    expect([bus.isUp, middle.heard()]).toEqual([false, ''])
    middle.forge = undefined
    await expect.poll(() => said, limit).toEqual(['lost', 'back'])
    expect(middle.heard()).toBe('')
  })

  test('that names other servers leads the client to none of them', async () => {
    const other = await startNatsInTheMiddle(nats.port)
    middle.forge = (info) => ({ info: { ...info, connect_urls: [`127.0.0.1:${other.port}`] } })
    await open()
    middle.forge = withoutTls
    middle.cut()
    await expect.poll(() => middle.forged, limit).toBeGreaterThan(2)
    expect([said, other.connections]).toEqual([['lost'], 0])
    other.close()
  })

  test('that adds messages before the encryption begins is refused', async () => {
    middle.forge = (info) => ({ info, more: 'MSG pulse.1.rows 1 5\r\nhello\r\n' })
    await expect(open()).rejects.toThrow(/before TLS/)
    expect(middle.heard()).toBe('')
  })
})

describe.skipIf(!found)('[N 2] with an authority for the certificates', () => {
  test('a server without TLS is refused, whatever its address begins with', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-authority-'))
    const nats = await startNats()
    const middle = await startNatsInTheMiddle(nats.port)
    const ca = fs.readFileSync(certificateFor(folder, 'IP:127.0.0.1').cert, 'utf8')
    const opening = openBus(
      { servers: [`127.0.0.1:${middle.port}`], isEncrypted: false, ca, login },
      { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    const outcome = opening.then((bus) => bus.close())
    await expect(outcome).rejects.toThrow(/tls/i)
    expect(middle.heard()).toBe('')
    middle.close()
    await nats.remove()
    fs.rmSync(folder, { recursive: true })
  })
})
