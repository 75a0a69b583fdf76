import { expect, test } from 'vitest'
import { agentVersionTone } from './host-head.tsx'

test.each([
  ['dev', 'yellow'],
  ['5.1.0-dev.3', 'yellow'],
  ['0.1.4', 'yellow'],
  ['v0.1', 'yellow'],
  ['v4.25.0', 'green'],
  ['5.1.0', 'green'],
  ['1.0.1', 'green'],
])('[spec 1 §9] agent version %s is %s', (version, tone) => {
  expect(agentVersionTone(version)).toBe(tone)
})
