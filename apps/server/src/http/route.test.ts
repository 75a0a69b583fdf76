import { expect, test } from 'vitest'
import { acceptsGzip } from './route.ts'

test.each([
  ['gzip', true],
  ['deflate, gzip;q=0.5, br', true],
  ['GZIP', true],
  ['gzip;q=0.001', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, br', false],
  ['br', false],
  [undefined, false],
])('Accept-Encoding %s: %s', (header, expected) => {
  expect(acceptsGzip({ headers: { ...(header !== undefined && { 'accept-encoding': header }) } })).toBe(
    expected,
  )
})
