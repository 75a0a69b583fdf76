import { expect, test } from 'vitest'
import { addressAfter, addressAt, carryMoment, momentIn } from './address.ts'

test.each([
  ['?at=1795910524997', 1_795_910_524_997],
  ['?tab=disks&at=2026-11-28T14:05Z', Date.UTC(2026, 10, 28, 14, 5)],
  ['?at=', undefined],
  ['?at=soon', undefined],
  ['?at=-5', undefined],
  ['?at=99999999999999999', undefined],
  ['', undefined],
])('[M 3.4] the query %j shows the moment %j', (search, at) => {
  expect(momentIn(search)).toBe(at)
})

test('[M 3.4] only the moment of an address changes, and Back to now removes it', () => {
  expect(addressAt('/docker?host=a&at=1#x', 60_000)).toBe('/docker?host=a&at=60000#x')
  expect(addressAt('/docker?host=a&at=1', undefined)).toBe('/docker?host=a')
  expect(addressAt('/docker?at=1', undefined)).toBe('/docker')
})

test('[M 3.4] a link on a page of the past leads to the same moment, unless it names one', () => {
  expect(carryMoment('/docker?host=a', '?search=x&at=60000')).toBe('/docker?host=a&at=60000')
  expect(carryMoment('/docker?at=5', '?at=60000')).toBe('/docker?at=5')
  expect(carryMoment('/docker?host=a', '?search=x')).toBe('/docker?host=a')
})

test('[M 3.4] the page of an alert is that of the minute after it began', () => {
  expect(addressAfter('/docker?host=a', 60_001)).toBe('/docker?host=a&at=120000')
})
