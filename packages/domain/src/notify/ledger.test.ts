import { expect, test } from 'vitest'
import { email, given, hook, hourMs, settings } from './fixtures.ts'

test('[R18] of an all-clear that nobody gets any more nothing is kept: alerts snoozed, or the channel off', () => {
  const now = given(settings(), [email, hook])
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
