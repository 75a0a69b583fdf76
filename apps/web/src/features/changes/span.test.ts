import { expect, test } from 'vitest'
import { spanOf } from './span.ts'

const day = 86_400_000
const now = new Date(2026, 5, 10, 12).getTime()

test('a week ends now', () => {
  expect(spanOf('week', now).from).toBe(now - 7 * day)
})
