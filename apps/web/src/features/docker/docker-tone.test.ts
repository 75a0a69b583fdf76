import { expect, test } from 'vitest'
import { dockerTone } from './container-status.ts'

test.each([
  ['online', 'green'],
  ['running', 'green'],
  ['healthy', 'green'],
  ['Running', 'green'],
  ['offline', 'red'],
  ['exited', 'red'],
  ['failed', 'red'],
  ['unhealthy', 'red'],
  ['paused', 'yellow'],
  ['created', 'yellow'],
  ['restarting', 'yellow'],
  ['dead', 'yellow'],
  ['starting', 'yellow'],
  ['', 'yellow'],
])('[spec 1 §4] Docker status colours: %s is %s', (word, tone) => {
  expect(dockerTone(word)).toBe(tone)
})
