import { expect, test } from 'vitest'
import { daysIn, momentWords } from './words.ts'

const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime()
const now = at(2026, 10, 28, 0, 30)

test.each([
  { moment: at(2026, 10, 28, 0, 5), words: '00:05 today' },
  { moment: at(2026, 10, 27, 14, 5), words: '14:05 yesterday' },
  { moment: at(2026, 10, 26, 23, 59), words: '23:59 on Thu 26 Nov' },
])('[M 3.4] a moment reads $words', ({ moment, words }) => {
  expect(momentWords(moment, now, 'en-GB').replace(',', '')).toBe(words)
})

test('[M 3.4] a moment has the same clock as the rest of the page', () => {
  expect(momentWords(at(2026, 10, 27, 18, 5), now, 'en-US')).toMatch(/^6:05\sPM yesterday$/)
})

test('[M 3.4] the bar has a mark at each midnight', () => {
  expect(daysIn(at(2026, 10, 26, 12, 0), now)).toEqual([at(2026, 10, 27, 0, 0), at(2026, 10, 28, 0, 0)])
  expect(daysIn(at(2026, 10, 28, 0, 10), now)).toEqual([])
})
