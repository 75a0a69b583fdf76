import { expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { hasNats, startPlainNats } from '../testing/nats-server.ts'
import { startTcpRelay } from '../testing/tcp-relay.ts'
import { openBus } from './bus.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

test.skipIf(!found)('[N 6] without JetStream there is no bus, and no connection stays', async () => {
  const server = await startPlainNats()
  const relay = await startTcpRelay(server.port)
  const opening = openBus(
    { servers: [`127.0.0.1:${relay.port}`], isEncrypted: false },
    { name: 'test', onLost: () => {}, onBack: () => {} },
  )
  await expect(opening).rejects.toThrow(/jetstream/i)
  await expect.poll(() => relay.connections, { timeout: within(30_000) }).toBe(0)
  relay.close()
  await server.remove()
})
