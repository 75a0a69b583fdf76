import { expect, test } from 'vitest'
import { gatewayStatus, gatewayTone } from './gateway-card.tsx'

test.each([
  ['healthy', 'online', 'green', 'Online'],
  ['unknown', 'online', 'green', 'Online'],
  ['degraded', 'online', 'yellow', 'Online'],
  ['unknown', 'warning', 'yellow', 'Warning'],
  ['error', 'offline', 'red', 'Not answering'],
  ['offline', 'offline', 'red', 'Offline'],
] as const)('[spec 1 §4] health %s, status %s: a %s dot, %s', (connectionHealth, status, tone, text) => {
  expect(gatewayTone({ connectionHealth, status })).toBe(tone)
  expect(gatewayStatus({ connectionHealth, status }, undefined)).toBe(text)
})

test('one that answers, but not to us, says so', () => {
  const gateway = { connectionHealth: 'error', status: 'offline' } as const
  expect(gatewayStatus(gateway, { refused: true })).toBe('Access refused')
})

test('a gateway behind an unreachable site is neither online nor offline', () => {
  const gateway = { connectionHealth: 'unknown', status: 'online' } as const
  const source = { siteUnreachableSince: 1 }
  expect([gatewayTone(gateway, source), gatewayStatus(gateway, source)]).toEqual([
    'yellow',
    'No word from its site',
  ])
})
