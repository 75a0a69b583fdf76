import { expect, test } from 'vitest'
import { toneOf, type Tone, type ToneScale } from './tones.ts'

const MB = 1024 * 1024
const GB = 1024 * MB
const DAY = 86_400

const cases: [ToneScale, number | undefined, Tone][] = [
  ['cpu', 79.9, 'neutral'],
  ['cpu', 80, 'yellow'],
  ['cpu', 89.9, 'yellow'],
  ['cpu', 90, 'red'],
  ['memory', 74.9, 'neutral'],
  ['memory', 75, 'yellow'],
  ['memory', 85, 'red'],
  ['disk', 79.9, 'neutral'],
  ['disk', 80, 'yellow'],
  ['disk', 90, 'red'],
  ['generic', 74.9, 'neutral'],
  ['generic', 75, 'yellow'],
  ['generic', 90, 'red'],
  ['nodeTemperature', 69, 'neutral'],
  ['nodeTemperature', 70, 'yellow'],
  ['nodeTemperature', 80, 'red'],
  ['diskTemperature', 60, 'neutral'],
  ['diskTemperature', 61, 'yellow'],
  ['diskTemperature', 70, 'yellow'],
  ['diskTemperature', 71, 'red'],
  ['ssdLife', 100, 'green'],
  ['ssdLife', 50, 'green'],
  ['ssdLife', 49, 'yellow'],
  ['ssdLife', 20, 'yellow'],
  ['ssdLife', 19, 'orange'],
  ['ssdLife', 10, 'orange'],
  ['ssdLife', 9, 'red'],
  ['ssdLife', 0, 'red'],
  ['ssdLife', undefined, 'neutral'],
  ['rate', 0, 'neutral'],
  ['rate', MB - 1, 'neutral'],
  ['rate', MB, 'green'],
  ['rate', 10 * MB, 'yellow'],
  ['rate', 50 * MB, 'red'],
  ['uptime', 0, 'neutral'],
  ['uptime', 1, 'orange'],
  ['uptime', 3599, 'orange'],
  ['uptime', 3600, 'neutral'],
  ['backupAge', 0, 'green'],
  ['backupAge', 3 * DAY - 1, 'green'],
  ['backupAge', 3 * DAY, 'yellow'],
  ['backupAge', 7 * DAY - 1, 'yellow'],
  ['backupAge', 7 * DAY, 'orange'],
  ['backupAge', 30 * DAY - 1, 'orange'],
  ['backupAge', 30 * DAY, 'red'],
  ['backupSize', 5 * GB - 1, 'green'],
  ['backupSize', 5 * GB, 'yellow'],
  ['backupSize', 20 * GB, 'orange'],
  ['backupSize', 50 * GB, 'red'],
  ['cpu', undefined, 'neutral'],
  ['disk', Number.NaN, 'neutral'],
]

test.each(cases)('[spec 1 §9] %s at %s is %s', (scale, value, tone) => {
  expect(toneOf(scale, value)).toBe(tone)
})
