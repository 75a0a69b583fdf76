import { describe, expect, test } from 'vitest'
import { email, dispatcherFixture, hook, minuteMs, type Receipt, secondMs, settings } from './fixtures.ts'

describe('groups', () => {
  const many = (count: number, of: (n: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, n) => ({ id: `guest-${n}`, resourceId: `main:${n}`, ...of(n) }))
  const sizes = ({ received }: { received: readonly Receipt[] }) => received.map(({ items }) => items.length)
  const grouped = (grouping = {}) =>
    settings({ grouping: { enabled: true, window: 300, byNode: false, ...grouping } })

  test('alerts of one window are one message at its end, without those that ended before', () => {
    const now = dispatcherFixture(grouped())
    now.raise({ id: 'a' })
    now.pass(2 * minuteMs)
    const over = now.raise({ id: 'b' })
    now.raise({ id: 'c' })
    now.resolve(over)
    now.pass(3 * minuteMs - 1)
    expect(now.received).toEqual([])
    expect(now.dispatcher.explain('a', now.moment()).map(({ text }) => text)).toEqual([
      'Grouped: it is sent with others when the window ends.',
    ])
    now.pass(1)
    expect(now.received.map(({ items }) => items.map(({ alert }) => alert.id))).toEqual([['a', 'c']])
  })

  test('by node and by guest', () => {
    const byNode = dispatcherFixture(grouped({ byNode: true }))
    byNode.raiseAll(many(4, (n) => ({ node: `pve${n % 2}` })))
    byNode.pass(5 * minuteMs)
    expect(sizes(byNode)).toEqual([2, 2])
    const byGuest = dispatcherFixture(grouped({ byGuest: true }))
    byGuest.raiseAll([...many(2), { id: 'again', resourceId: 'main:1' }, { id: 'node', metadata: {} }])
    byGuest.pass(5 * minuteMs)
    expect(sizes(byGuest)).toEqual([1, 2, 1])
  })

  test('by guest: old snapshots go with their guest', () => {
    const now = dispatcherFixture(grouped({ byGuest: true }))
    const metadata = { resourceType: 'VM', guestId: 'main:1' }
    now.raiseAll([
      { id: 'cpu', resourceId: 'main:1' },
      ...many(3, (n) => ({ id: `s${n}`, resourceId: `main:1-s${n}`, type: 'snapshot-age', metadata })),
    ])
    now.pass(5 * minuteMs)
    expect(sizes(now)).toEqual([4])
  })

  test('[R5] 5,000 alerts in one tick are one message to each channel, with any grouping', () => {
    for (const config of [grouped({ byNode: true, byGuest: true }), settings()]) {
      const now = dispatcherFixture(config, [email, hook])
      now.raiseAll(many(5_000, (n) => ({ node: `pve${n % 50}` })))
      now.pass(5 * minuteMs)
      expect(sizes(now)).toEqual([5_000, 5_000])
    }
  })

  test('[R5] never two messages within one window, however long the storm lasts', () => {
    const now = dispatcherFixture(grouped(), [email])
    for (let second = 0; second < 1_200; second += 5) {
      now.raiseAll(many(20, (n) => ({ id: `${second} ${n}` })))
      now.pass(5 * secondMs)
    }
    expect(now.received.map(({ at }) => at / minuteMs)).toEqual([5, 10, 15, 20])
  })

  test('without grouping each alert is sent at once', () => {
    const now = dispatcherFixture()
    now.raiseAll(many(3))
    expect(sizes(now)).toEqual([1, 1, 1])
  })
})
