import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { createState } from '../../state/state.ts'
import { hasNats, type NatsServer, startNatsCluster } from '../../testing/nats-server.ts'
import { openBus } from './bus.ts'
import { type SharedState, shareState } from '../frames/shared-state.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 2] one of three NATS servers', () => {
  let servers: NatsServer[]
  const ends: (() => Promise<void>)[] = []

  async function start(name: string) {
    const bus = await openBus(
      { servers: servers.map(({ port }) => `127.0.0.1:${port}`), isEncrypted: false },
      { name, clock: realClock, onLost: () => {}, onBack: () => void shared.lineIsBack().catch(() => {}) },
    )
    const own = createState(aMeta())
    const shared: SharedState = await shareState({
      state: own,
      bus,
      site: 'main',
      clock: realClock,
      replicas: 3,
      connectionOf: (name) => ({ site: 'main', kind: 'pve', name }),
      connections: () => [],
      takesOthers: true,
      onFault: () => {},
      onRefused: () => {},
    })
    await shared.follow()
    ends.push(async () => {
      await shared.stop()
      await bus.close()
    })
    return { shared, name: () => own.tables.guests.get('s:1')?.name }
  }

  beforeAll(async () => {
    servers = await startNatsCluster(3)
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await Promise.all(servers.map((one) => one.remove()))
  })

  test('that is lost, whichever it is, stops no figures, also when it is back', async () => {
    const [a, b] = [await start('a'), await start('b')]
    a.shared.own('s', '000000000000001.0000000000000001')
    let n = 0
    async function expectNews() {
      const name = `news ${++n}`
      a.shared.state.observe({
        source: 's',
        records: { guests: new Map([['s:1', aGuest({ source: 's', name })]]) },
        state: { name: 's', kind: 'pve', health: 'healthy', lastSeen: n },
      })
      await expect.poll(b.name, limit).toBe(name)
    }
    await expectNews()
    for (const server of servers) {
      await server.halt()
      await expectNews()
      await expectNews()
      await server.rise()
      await expectNews()
    }
  })
})
