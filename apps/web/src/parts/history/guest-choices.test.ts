import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { guestChoices } from './guest-choices.ts'

const { store } = aLive({
  guests: Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `g${n}`,
      aGuest({ name: `web${String(n).padStart(2, '0')}`, vmid: 100 + n }),
    ]),
  ),
})
const ids = (chosen: readonly string[], text = '') =>
  guestChoices(store, { text, chosen, own: 'g0' }).choices.map(({ id }) => id)

test('[M 3.1] a chosen guest is in the list, also one whose name is far down', () => {
  const found = ids(['g59', 'g58'])
  expect(found).toHaveLength(50)
  expect(found.slice(-3)).toEqual(['g48', 'g58', 'g59'])
  expect(guestChoices(store, { text: '', chosen: ['g59'], own: 'g0' }).more).toBe(9)
})

test('[M 3.1] a chosen guest stays in the list beside those that match', () => {
  expect(ids(['g59'], 'web07')).toEqual(['g7', 'g59'])
})
