import { expect, test } from 'vitest'
import { dispatcherFixture, minuteMs } from '../fixtures.ts'

const kinds = ({ received }: ReturnType<typeof dispatcherFixture>) => received.map(({ kind }) => kind)

/** Sent, resolved, sent, and back a minute later with nearly the same figure. */
function back(change: Parameters<ReturnType<typeof dispatcherFixture>['raise']>[0] = {}) {
  const now = dispatcherFixture()
  const over = now.resolve(now.raise(change))
  now.pass(minuteMs)
  now.reopen({ ...over, repeats: true })
  return now
}

test('a warning that fires again with nearly the same figure waits until five minutes after its last message', () => {
  const now = back()
  expect(kinds(now)).toEqual(['raised', 'resolved'])
  expect(now.dispatcher.explain('guest-100-cpu', now.moment()).map(({ text }) => text)).toEqual([
    'It fired again with nearly the same value, less than 5 minutes after the last message about it.',
  ])
  now.pass(4 * minuteMs)
  expect(kinds(now)).toEqual(['raised', 'resolved', 'raised'])
})

test('a critical alert does not wait', () => {
  expect(kinds(back({ level: 'critical' }))).toEqual(['raised', 'resolved', 'raised'])
})
