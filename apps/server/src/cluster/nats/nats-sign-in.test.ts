import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { realClock } from '../../edges.ts'
import { certificateFor, hasOpenssl } from '../../testing/certificates.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from './bus.ts'
import type { NatsSettings } from './nats-settings.ts'

const found = hasNats() && hasOpenssl()
if (!found) console.log('skipped: no NATS or no openssl')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-tls-'))
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

async function start(...args: string[]): Promise<NatsServer> {
  const server = await startNats(args)
  ends.push(server.remove)
  return server
}

async function open(settings: NatsSettings): Promise<Bus> {
  const bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
  ends.push(bus.close)
  return bus
}

const tlsAt = async (name: string): Promise<NatsSettings> => {
  const { cert, key } = certificateFor(folder, name)
  const { port } = await start('--tls', '--tlscert', cert, '--tlskey', key)
  return { servers: [`127.0.0.1:${port}`], isEncrypted: true, ca: fs.readFileSync(cert, 'utf8') }
}

test.skipIf(!found)(
  '[N 2] the certificate of a server with an address has to name that address',
  async () => {
    expect((await open(await tlsAt('IP:127.0.0.1'))).isUp).toBe(true)
    for (const other of ['IP:127.0.0.2', 'DNS:localhost'])
      await expect(open(await tlsAt(other)), other).rejects.toThrow(/altnames/)
  },
)

test.skipIf(!found)('[N 2] the certificate of a server with a name has to name it', async () => {
  const right = await tlsAt('DNS:localhost')
  const [port] = right.servers.map((server) => server.split(':')[1]!)
  expect((await open({ ...right, servers: [`localhost:${port}`] })).isUp).toBe(true)
  const wrong = await tlsAt('DNS:nats.example.test')
  const [other] = wrong.servers.map((server) => server.split(':')[1]!)
  await expect(open({ ...wrong, servers: [`localhost:${other}`] })).rejects.toThrow(/altnames/)
})

test.skipIf(!found)('[N 2] a server that knows users is signed in to with name and password', async () => {
  const { port } = await start('--user', 'pulse', '--pass', 'secret')
  const settings = { servers: [`127.0.0.1:${port}`], isEncrypted: false }
  const bus = await open({ ...settings, login: { user: 'pulse', password: 'secret' } })
  expect(bus.isUp).toBe(true)
  await expect(open({ ...settings, login: { user: 'pulse', password: 'wrong' } })).rejects.toThrow(
    /authorization/i,
  )
})
