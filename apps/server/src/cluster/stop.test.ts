import { StorageType } from '@nats-io/jetstream'
import { startLab } from '@pulse/lab'
import { expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { addSources } from '../testing/chaos-sources.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import { hasNats, startNats } from '../testing/nats-server.ts'
import { hasPostgres, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer } from '../testing/server.ts'
import { openBucket } from './nats/bucket.ts'
import { openBus } from './nats/bus.ts'
import { presenceBucket } from './nats/subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

test.skipIf(!found)('[N 6] a server that stops without NATS is not listed any more', async () => {
  const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
  const server = await startTestServer(realClock, {
    API_TOKENS: adminToken,
    PULSE_DATABASE_URL: urlOf(await postgres.database()),
    PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
  })
  // it has a lease to return
  const lab = await startLab({ nodes: 1, guests: 1, authDelayMs: 0 })
  await addSources(server.call, lab)
  await expect.poll(() => lab.requests().total, { timeout: within(30_000) }).toBeGreaterThan(10)
  const bus = await openBus(
    { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false },
    { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
  )
  const options = { ttlMs: 10_000, storage: StorageType.Memory, replicas: 1 }
  const { all } = await openBucket(bus, presenceBucket, options)
  const listed = async () => (await all().catch(() => undefined))?.size
  expect(await listed()).toBe(1)
  nats.freeze()
  await server.stop()
  nats.thaw()
  await expect.poll(listed, { timeout: within(40_000) }).toBe(0)
  await bus.close()
  await lab.close()
  await Promise.all([nats.remove(), postgres.remove()])
})
