import { describe, expect, test } from 'vitest'
import { type Message, unexcusedCopies, wrongOrder } from './chaos-alerts.ts'
import { type DoneFault, planFaults } from './chaos-faults.ts'
import { createPollLog } from './chaos-polls.ts'
import type { TestCluster } from './cluster.ts'
import { randomFrom } from './data-folder.ts'

const message = (more: Partial<Message>): Message => ({
  channel: 'one',
  event: 'raised',
  eventId: 'e1',
  names: ['c1'],
  at: 100_000,
  ...more,
})
const kill: DoneFault = { what: 'kill', target: 'a', from: 100_100, to: 100_100 }

import type { VictoriaMetrics } from './victoria-metrics.ts'

describe('what a chaos run counts as wrong', () => {
  test('a copy of a message that was not under way at a fault', () => {
    const copies = [message({}), message({ at: 130_000 })]
    expect(unexcusedCopies(copies, [kill])).toEqual({ copies: 1, unexcused: [] })
    const earlier = copies.map((one) => ({ ...one, at: one.at - 50_000 }))
    expect(unexcusedCopies(earlier, [kill]).unexcused).toHaveLength(1)
  })

  test('a copy that only a clock or the store of samples could excuse', () => {
    const copies = [message({}), message({ at: 130_000 })]
    for (const other of [
      { what: 'clock of a is set to 0 ms ahead', target: 'a' },
      { what: 'stop of the store of samples', target: 'samples' },
    ])
      expect(unexcusedCopies(copies, [{ ...kill, ...other }]).unexcused).toHaveLength(1)
  })

  test('a second copy for one fault, but not one on another channel', () => {
    const pair = (eventId: string, channel = 'one') => [
      message({ eventId, channel }),
      message({ eventId, channel, at: 130_000 }),
    ]
    expect(unexcusedCopies([...pair('e1'), ...pair('e1', 'two')], [kill]).unexcused).toEqual([])
    expect(unexcusedCopies([...pair('e1'), ...pair('e2')], [kill]).unexcused).toHaveLength(1)
  })

  test('whatever is no raised message and one resolved message after it; copies are one message', () => {
    const raised = message({})
    const resolved = message({ event: 'resolved', eventId: 'e2' })
    expect(wrongOrder([raised, resolved, resolved])).toEqual([])
    expect(wrongOrder([resolved])).toHaveLength(1)
    expect(wrongOrder([raised, message({ eventId: 'e3' })])).toHaveLength(1)
    expect(wrongOrder([raised, resolved, message({ eventId: 'e3' })])).toHaveLength(1)
    expect(
      wrongOrder([message({ names: ['scratch'] }), message({ names: ['scratch'], eventId: 'e4' })]),
    ).toEqual([])
  })

  test('two processes that ask the same source at once, but not one that takes it from another', () => {
    /** One call every three seconds; a capital begins with the source. */
    const asked = (order: string) => {
      const log = createPollLog(() => at)
      let at = 0
      for (const one of order) {
        const path = one === one.toUpperCase() ? '/nodes' : '/cluster/resources'
        log.note({ cluster: 's', from: one.toLowerCase(), path })
        at += 3_000
      }
      return log.doubled(9_000)
    }
    expect(asked('AaaaBbbbAaaaBbbb')).toEqual([])
    expect(asked('AaBa')).toEqual([])
    expect(asked('AaBbbbbbba')).toEqual([])
    expect(asked('AaBababa')).toHaveLength(1)
    expect(asked('AaBbabba')).toHaveLength(1)
  })

  test('the same seed draws the same faults', () => {
    const cluster = {
      processes: ['a', 'b'].map((name) => ({ name, line: {} })),
      nats: [{}, {}, {}],
      postgres: {},
    } as unknown as TestCluster
    const drawn = (seed: number) =>
      planFaults(50, {
        cluster,
        samples: {} as VictoriaMetrics,
        kill: async () => {},
        random: randomFrom(seed),
        longestMs: 60_000,
        mostApartMs: 16_000,
      }).map(({ what, afterMs, lastsMs }) => [what, afterMs, lastsMs])
    expect(drawn(7)).toEqual(drawn(7))
    expect(drawn(7)).not.toEqual(drawn(8))
  })
})
