import { afterEach, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { hasNats, startNats, startPlainNats } from '../testing/nats-server.ts'
import { startTcpRelay } from '../testing/tcp-relay.ts'
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
