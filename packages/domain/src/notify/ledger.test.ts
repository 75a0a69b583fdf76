import { expect, test } from 'vitest'
import { email, dispatcherFixture, hook, hourMs, settings } from './fixtures.ts'

test('[R18] a resolved message that will not be sent leaves no entry: alerts snoozed, or the channel disabled', () => {
  const now = dispatcherFixture(settings(), [email, hook])
  const episode = now.raise()
  now.setChannels([email, { ...hook, enabled: false }])
  now.configure(settings({}, { activationState: 'snoozed' }))
  now.resolve(episode)
  now.pass(23 * hourMs)
  expect(now.ledger.size).toBe(2)
  now.pass(hourMs)
  expect(now.ledger.size).toBe(0)
  expect(now.dispatcher.size.episodes).toBe(0)
})
