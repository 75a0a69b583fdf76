import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, startNats, startPlainNats } from '../../testing/nats-server.ts'
import { startTcpRelay } from '../../testing/tcp-relay.ts'
import { openBus } from './bus.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

afterEach(() => void vi.restoreAllMocks())

test.skipIf(!found)('[N 6] the line is made again also after the wall clock was set back', async () => {
  const server = await startNats()
  const relay = await startTcpRelay(server.port)
  const settings = { servers: [`127.0.0.1:${relay.port}`], isEncrypted: false }
  const said: string[] = []
  const bus = await openBus(settings, {
    name: 'test',
    clock: realClock,
    onLost: () => void said.push('lost'),
    onBack: () => void said.push('back'),
  })
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
  relay.cut()
  await expect.poll(() => said, { timeout: within(30_000) }).toEqual(['lost'])
  relay.thaw()
  await expect.poll(() => said, { timeout: within(30_000) }).toEqual(['lost', 'back'])
  await bus.close()
  relay.close()
  await server.remove()
})

test.skipIf(!found)('[N 6] without JetStream there is no bus, and no connection stays', async () => {
  const server = await startPlainNats()
  const relay = await startTcpRelay(server.port)
  const opening = openBus(
    { servers: [`127.0.0.1:${relay.port}`], isEncrypted: false },
    { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
  )
  await expect(opening).rejects.toThrow(/jetstream/i)
  await expect.poll(() => relay.connections, { timeout: within(30_000) }).toBe(0)
  relay.close()
  await server.remove()
})

test.for([
  ['2.8.4', false],
  ['1.4.1', false],
  ['2.9.0', true],
  ['2.12.3', true],
  ['3.0.0-beta.1', true],
] as const)('[N 2] nats-server %s is new enough: %s', async ([version, isTaken]) => {
  const server = net.createServer((socket) => {
    socket.write(
      `INFO ${JSON.stringify({ server_id: 'x', version, proto: 1, host: '127.0.0.1', port: 4222, headers: true, max_payload: 1_000_000 })}\r\n`,
    )
    // a client that goes on learns that it has no JetStream
    socket.on('data', (data) => void (String(data).includes('PING') && socket.write('PONG\r\n')))
    socket.on('error', () => {})
    if (isTaken) socket.on('data', (data) => String(data).includes('PUB') && socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const opening = openBus(
    { servers: [`127.0.0.1:${port}`], isEncrypted: false },
    { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
  )
  await expect(opening).rejects.toThrow(isTaken ? 'has no JetStream' : `is nats-server ${version}.`)
})
