import { expect, test } from 'vitest'
import { dispatcherFixture, minuteMs, settings } from './fixtures.ts'

test('says when the reminder and the next escalation of a sent alert come', () => {
  const now = dispatcherFixture(
    settings({
      cooldown: 30,
      escalation: {
        enabled: true,
        levels: [
          { after: 15, notify: 'all' },
          { after: 45, notify: 'all' },
        ],
      },
    }),
  )
  const episode = now.raise()
  const next = () =>
    now.dispatcher
      .explain('guest-100-cpu', now.moment())
      .flatMap(({ next: one }) => (one ? [[one.kind, (one.at - now.moment().now) / minuteMs]] : []))
  now.pass(10 * minuteMs)
  expect(next()).toEqual([
    ['repeated', 20],
    ['escalated', 5],
  ])
  now.pass(10 * minuteMs)
  expect(next()).toContainEqual(['escalated', 25])
  now.change(episode, 'acknowledged', { acknowledged: true })
  expect(next()).toEqual([])
})
