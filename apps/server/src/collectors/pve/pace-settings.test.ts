import { expect, test } from 'vitest'
import type { Pace } from '../source.ts'
import { usualPace } from '../source.ts'
import { given } from './fixtures.ts'

test.concurrent.for([2, 4, 90])(
  'connectionTimeout: a call may take %i s, and a source may be silent for 10 s of it or a sixth',
  async (timeout, context) => {
    const pace: Pace = { ...usualPace, timeoutMs: timeout * 1000 }
    const { lab, start, until, pass, state } = await given(context, { nodes: 1, guests: 2, pace: () => pace })
    lab.control.addFault({ kind: 'hang' })
    const collector = start()
    const silentFor = timeout === 90 ? 15 : timeout
    await until('the end of the call', () => collector.totals().failed > 0, silentFor + 3)
    if (timeout === 90) expect(state().error).toMatch(/no answer to .* for 5 s/)
    else await until('its text', () => state().error?.endsWith(`within ${timeout} s`) ?? false, 2)
    await pass(1)
  },
)

test.concurrent(
  'adaptivePolling: fresh sources are listed more seldom, within the bounds, and not called stale',
  async (context) => {
    let pace: Pace = { ...usualPace, adaptive: { baseMs: 20_000, minMs: 20_000, maxMs: 60_000 } }
    const { lab, start, until, isComplete, pass, state } = await given(context, {
      nodes: 1,
      guests: 2,
      factor: 60,
      pace: () => pace,
    })
    const collector = start()
    await until('the whole picture', isComplete, 40)
    const listings = () => lab.requests({ path: '/cluster/resources' }).total
    lab.control.resetRequests()
    for (let second = 0; second < 600; second += 5) {
      await pass(5)
      expect(state().health).toBe('healthy')
    }
    expect(listings()).toBeGreaterThanOrEqual(9)
    expect(listings()).toBeLessThanOrEqual(31)

    pace = { ...usualPace, adaptive: { baseMs: 5_000, minMs: 1_000, maxMs: 5_000 } }
    collector.refresh()
    await pass(60)
    lab.control.resetRequests()
    await pass(120)
    expect(listings()).toBeGreaterThanOrEqual(9)
    expect(listings()).toBeLessThanOrEqual(13) // the call budget

    pace = usualPace
    collector.refresh()
    await pass(20)
    lab.control.resetRequests()
    await pass(120)
    expect(listings()).toBeGreaterThanOrEqual(10)
    expect(listings()).toBeLessThanOrEqual(13)
  },
)

test.concurrent(
  'cacheHits and cacheMisses count what listings had at hand, and what was asked for',
  async (context) => {
    const { start, until, isComplete, records, pass } = await given(context, { nodes: 1, guests: 9 })
    const collector = start()
    await until('the whole picture', isComplete, 30)
    expect(collector.totals().cacheHits).toBe(0)
    await pass(60)
    const before = collector.totals()
    const running = records('guests').filter(({ status }) => status === 'running').length
    await pass(60)
    const { cacheHits, cacheMisses, cycles } = collector.totals()
    expect(cacheHits - before.cacheHits).toBeLessThanOrEqual(running * (cycles - before.cycles))
    expect(cacheHits - before.cacheHits).toBeGreaterThanOrEqual(running * 3)
    expect(cacheMisses - before.cacheMisses).toBeGreaterThan(0)
    expect(cacheMisses - before.cacheMisses).toBeLessThanOrEqual(2 * running)
  },
)
