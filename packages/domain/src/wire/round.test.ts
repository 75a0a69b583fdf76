import { expect, test } from 'vitest'
import { roundings } from './rules.ts'

test.each([
  { round: 'rate', value: 123_456, expected: 123_000 },
  { round: 'rate', value: 0.4, expected: 0 },
  { round: 'bytes', value: 17_179_869_184, expected: 17_180_000_000 },
  { round: 'fraction', value: 0.12345, expected: 0.123 },
] as const)('rounds $value to $expected', ({ round, value, expected }) =>
  expect(roundings[round](value)).toBe(expected),
)
