import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aYard, type Yard } from './fixtures.ts'
import { agentProtocol as protocol } from './protocol.ts'
import { aReport } from '../docker/fixtures.ts'
import { silenceMs } from './host.ts'
import { createPresence } from './presence.ts'
import type { Sender } from './intake.ts'

let yard: Yard
let sender: Sender
beforeAll(async () => {
  yard = await aYard()
})
beforeEach(async () => {
  await yard.clear()
  sender = await yard.sender()
  await yard.intake.report(aReport(), sender)
})
afterAll(() => yard.end())

const source = () => yard.state.tables.sources.get(yard.host()!.source)

describe('[facts/collection 3.5] a host is offline', () => {
  test.each([
    [1, 30_000],
    [10, 40_000],
    [30, 120_000],
    [3_600, 600_000],
  ])('reporting every %d s: after %d ms', (intervalSeconds, ms) => {
    expect(silenceMs({ intervalSeconds })).toBe(ms)
  })

  test('when nothing has come for that long, and its containers stay, with when they were last right', async () => {
    await yard.ground.clock.advance(120_000)
    expect(yard.host()!.status).toBe('online')
    await yard.ground.clock.advance(10_000)
    const staleSince = Date.UTC(2026, 0, 1, 12)
    expect(yard.host()).toMatchObject({ status: 'offline', staleSince })
    expect([...yard.state.tables.dockerContainers.values()]).toMatchObject([{ name: 'web', staleSince }])
    expect(source()).toMatchObject({ health: 'error', staleSince, lastSeen: staleSince })
    expect(yard.news).toBe(2)
  })

  test('not because the process was stopped, as no host could report meanwhile; but when it does not report afterwards', async () => {
    await yard.ground.clock.advance(20_000)
    yard.ground.clock.suspend(300_000)
    await yard.ground.clock.advance(110_000)
    expect(yard.host()!.status).toBe('online')
    await yard.ground.clock.advance(30_000)
    expect(yard.host()!.status).toBe('offline')
  })

  test('unknown after a long stop of the process, with what was right before, until it reports or has had time to', async () => {
    const lastSeen = Date.UTC(2026, 0, 1, 12)
    yard.ground.clock.suspend(8 * 3_600_000)
    await yard.ground.clock.advance(10_000)
    expect(yard.host()).toMatchObject({ status: 'online', staleSince: lastSeen })
    expect(source()).toMatchObject({ health: 'unknown', staleSince: lastSeen })
    await yard.ground.clock.advance(130_000)
    expect(yard.host()).toMatchObject({ status: 'offline', staleSince: lastSeen })
    await yard.intake.report(aReport(), sender)
    expect(source()).toMatchObject({ health: 'healthy' })
  })

  test('[R20] when the wall clock is set', async () => {
    yard.ground.clock.step(3 * 86_400_000)
    await yard.ground.clock.advance(20_000)
    expect(yard.host()!.status).toBe('online')
    yard.ground.clock.step(-6 * 86_400_000)
    await yard.ground.clock.advance(130_000)
    expect(yard.host()!.status).toBe('offline')
  })

  test('and back with its next report', async () => {
    await yard.ground.clock.advance(200_000)
    await yard.intake.report(aReport(), sender)
    expect(yard.host()!.status).toBe('online')
    expect(yard.host()).not.toHaveProperty('staleSince')
    expect([...yard.state.tables.dockerContainers.values()][0]).not.toHaveProperty('staleSince')
    expect(source()!.health).toBe('healthy')
  })
})

test('a look that fails ends neither the looking nor anything else: the host is offline with the next', async () => {
  const { clock, log, lines } = yard.ground
  let looks = 0
  let news = 0
  // that of the yard looks first
  const own = { ...yard.hosts.all()[0]! }
  const all = () => {
    if (++looks === 1) throw new Error('broken')
    return [own]
  }
  const presence = createPresence({
    protocol,
    hosts: { ...yard.hosts, all },
    clock,
    log,
    onNews: () => void news++,
  })
  presence.start()
  await clock.advance(130_000)
  presence.stop()
  expect(looks).toBe(13)
  expect(news).toBe(1)
  expect(lines.filter(({ msg }) => msg === 'cannot check the Docker hosts')).toHaveLength(1)
})
