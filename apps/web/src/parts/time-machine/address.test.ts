import { expect, test } from 'vitest'
import { addressAt, carryMoment, momentIn, momentOfAlert } from './address.ts'

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

test('[M 3.4] the moment of an alert is a minute after its cause began, and before it was over', () => {
  expect(momentOfAlert(60_001, 500_000)).toBe(180_000)
  expect(momentOfAlert(119_999, 500_000)).toBe(180_000)
  expect(momentOfAlert(119_999, 150_000)).toBe(149_000)
  expect(momentOfAlert(119_999, 120_000)).toBe(119_999)
})
