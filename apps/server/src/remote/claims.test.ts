import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { openBus } from '../cluster/nats/bus.ts'
import { makeLeaseBucket } from '../cluster/leases/leases.ts'
import { makePresenceBucket } from '../cluster/presence.ts'
import { leaseBucketOf, presenceBucketOf } from '../cluster/nats/subjects.ts'
import { realClock } from '../edges.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { startTcpRelay, type TcpRelay } from '../testing/tcp-relay.ts'
import { createRemoteClaims, type RemoteClaims } from './claims.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }

interface Collector {
  relay: TcpRelay
  claims: RemoteClaims
  /** the sources that it polls */
  polls: Set<string>
  /** what it has begun, how often */
  begun: string[]
  stop(): Promise<void>
}

describe.skipIf(!found)('[N 4] the sources of a site without a database', () => {
  let server: NatsServer
  let running: Collector[]

  async function start(clock: Clock = realClock): Promise<Collector> {
    const relay = await startTcpRelay(server.port)
    const bus = await openBus(
      { servers: [`127.0.0.1:${relay.port}`], isEncrypted: false },
      { name: 'x', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    const claims = createRemoteClaims({
      bus,
      site: 'Berlin',
      version: '1.0.0',
      clock,
      outbound: { own: () => {}, disown: () => {}, hasHeard: () => false },
      isKnown: () => false,
      costOf: () => 1,
      onFault: () => {},
    })
    const polls = new Set<string>()
    const begun: string[] = []
    for (const source of ['one', 'two'])
      claims.claimed.watch(source, {
        connection: () => ({ kind: 'pve', name: source, site: 'Berlin' }),
        begin() {
          polls.add(source)
          begun.push(source)
        },
        end: () => void polls.delete(source),
      })
    await claims.join()
    const collector: Collector = {
      relay,
      claims,
      polls,
      begun,
      async stop() {
        relay.thaw()
        await claims.stop()
        await claims.leave()
        await bus.close()
        relay.close()
      },
    }
    running.push(collector)
    return collector
  }

  beforeAll(async () => {
    server = await startNats()
    const bus = await openBus(
      { servers: [`127.0.0.1:${server.port}`], isEncrypted: false },
      { name: 'home', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    for (const site of [mainSite, 'Berlin']) {
      await makeLeaseBucket(bus, leaseBucketOf(site), 1)
      await makePresenceBucket(bus, presenceBucketOf(site), 1)
    }
    await bus.close()
  })
  afterAll(() => server?.remove())
  beforeEach(() => void (running = []))
  afterEach(async () => {
    for (const one of running) await one.stop()
  })

  test('stay with the only collector while its line is cut, and are claimed again without a new beginning', async () => {
    const only = await start()
    await expect.poll(() => only.polls.size, limit).toBe(2)
    only.relay.freeze()
    // the leases have ended by now, in the servers too
    await expect.poll(() => leases(server), limit).toBe(0)
    expect(only.polls.size).toBe(2)
    only.relay.thaw()
    await expect.poll(() => leases(server), limit).toBe(2)
    expect(only.begun.toSorted()).toEqual(['one', 'two'])
  })

  test('end with the only collector when its line has been cut for an hour, and are claimed again', async () => {
    const clock = fakeClock()
    const only = await start(clock)
    const pollsIn = (ms: number) => () => clock.advance(ms).then(() => only.polls.size)
    await expect.poll(pollsIn(100), limit).toBe(2)
    only.relay.freeze()
    const hourMs = 60 * 60_000
    // 7 s after the last renewal, the leases are not trusted any more: the hour begins
    await clock.advance(7_000)
    await clock.advance(hourMs - 7_000)
    expect(only.polls.size).toBe(2)
    await clock.advance(7_000)
    expect(only.polls.size).toBe(0)
    only.relay.thaw()
    await expect.poll(pollsIn(1_000), limit).toBe(2)
    expect(only.begun.toSorted()).toEqual(['one', 'one', 'two', 'two'])
  })

  test('end with the line if another collector can take them, and it does', async () => {
    const [first, second] = [await start(), await start()]
    await expect.poll(() => [first.polls.size, second.polls.size], limit).toEqual([1, 1])
    first.relay.freeze()
    await expect.poll(() => [first.polls.size, second.polls.size], limit).toEqual([0, 2])
  })
})

/** Leases of the site that have not ended. */
async function leases({ port }: NatsServer): Promise<number> {
  const bus = await openBus(
    { servers: [`127.0.0.1:${port}`], isEncrypted: false },
    { name: 'look', clock: realClock, onLost: () => {}, onBack: () => {} },
  )
  const { state } = await bus.manager.streams.info(`KV_${leaseBucketOf('Berlin')}`)
  await bus.close()
  return state.messages
}
