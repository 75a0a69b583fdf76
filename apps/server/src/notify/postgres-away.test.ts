import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { aGround } from '../auth/fixtures.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { startTcpRelay, type TcpRelay } from '../testing/tcp-relay.ts'
import { aPipeline, freely, idsOf, logOf, secondMs, type TestPipeline } from './fixtures.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)(
  '[N 1] alerts are sent, and their records stored later, while the PostgreSQL server',
  () => {
    let postgres: PostgresServer
    let relay: TcpRelay
    let now: TestPipeline
    beforeAll(async () => {
      postgres = await startPostgres()
      relay = await startTcpRelay(postgres.port)
    })
    afterEach(() => now.end())
    afterAll(async () => {
      relay.close()
      await postgres.remove()
    })

    const outages = {
      'is down': { begin: () => postgres.halt('crash'), end: () => postgres.rise() },
      'hangs without a word': { begin: async () => relay.freeze(), end: async () => relay.thaw() },
    }

    test.each(Object.entries(outages))('%s', async (_, { begin, end }) => {
      const settings = await postgres.database()
      now = await aPipeline(freely(), await aGround({ ...settings, port: relay.port }))
      const sink = now.channel('sink')
      const sent = () => sink.received.flatMap(({ notice }) => idsOf(notice))
      now.raise('before')
      await expect.poll(sent).toEqual(['before'])
      await begin()
      const ended = now.raise('during')
      await expect.poll(sent, { timeout: within(60_000) }).toEqual(['before', 'during'])
      now.resolve(ended)
      now.raise('later')
      await expect.poll(() => sent().includes('later'), { timeout: within(60_000) }).toBe(true)
      await end()
      const states = async () => {
        await now.pass(10 * secondMs)
        return (await logOf(now).catch(() => [])).map(({ state }) => state)
      }
      const all = sink.received.map(() => 'delivered')
      await expect.poll(states, { timeout: within(60_000) }).toEqual(all)
      const before = sink.received.length
      await now.restart()
      await now.pass(60 * secondMs)
      expect(sink.received).toHaveLength(before)
    })
  },
)
