import type { NodeConfig, SourceState } from '@pulse/contract'
import { expect, test } from 'vitest'
import { aNodeConfig } from './fake-nodes.tsx'
import { shownStatus, statusReason } from './node-card.tsx'

const source = (over: Partial<SourceState>): SourceState => ({
  name: 'a',
  kind: 'pve',
  health: 'healthy',
  ...over,
})

test.each<[NodeConfig['status'], Partial<SourceState> | undefined, string, string]>([
  ['pending', undefined, 'yellow', 'Pending'],
  ['connected', undefined, 'green', 'Online'],
  ['error', undefined, 'red', 'Error'],
  ['offline', undefined, 'red', 'Offline'],
  ['disconnected', undefined, 'red', 'Disconnected'],
  ['something new' as NodeConfig['status'], undefined, 'neutral', 'Unknown'],
  ['pending', { health: 'unknown' }, 'yellow', 'Pending'],
  ['pending', { health: 'healthy' }, 'green', 'Online'],
  ['connected', { health: 'degraded' }, 'yellow', 'Degraded'],
  ['connected', { health: 'error' }, 'red', 'Error'],
  ['connected', { health: 'error', lastSeen: 1 }, 'red', 'Offline'],
  // it answers but refuses access: the reason is shown beside it
  ['connected', { health: 'error', lastSeen: 1, refused: true }, 'red', 'Error'],
  [
    'connected',
    { health: 'error', lastSeen: 1, refused: true, untrusted: true },
    'red',
    'Certificate not trusted',
  ],
  ['connected', { health: 'error', untrusted: true }, 'red', 'Certificate not trusted'],
  ['error', { health: 'healthy' }, 'green', 'Online'],
])('[spec 2 §4] saved %s, live %o: %s, %s', (saved, live, tone, label) => {
  expect(shownStatus({ status: saved }, live && source(live))).toMatchObject({ tone, label })
})

test('a connection behind an unreachable site is not offline', () => {
  const live = source({ health: 'unknown', site: 'Berlin', siteUnreachableSince: 1, lastSeen: 1 })
  expect(shownStatus({ status: 'disconnected' }, live)).toEqual({
    tone: 'orange',
    label: 'No word from its site',
  })
  expect(statusReason(aNodeConfig({ error: 'No word from site Berlin.' }), live)).toBe(
    'No word from site Berlin.',
  )
})

test('[spec 2 §4] only pending pulses', () => {
  expect(shownStatus({ status: 'pending' }, undefined).pulsing).toBe(true)
  expect(shownStatus({ status: 'connected' }, source({ health: 'degraded' })).pulsing).toBeUndefined()
})

test('a certificate that is not trusted is called that before there is a live state, too', () => {
  const saved = { status: 'error', untrusted: true } as const
  expect(shownStatus(saved, undefined).label).toBe('Certificate not trusted')
  expect(shownStatus(saved, source({})).label).toBe('Online')
})

test('the reason is the live one as soon as there is a live state', () => {
  const node = aNodeConfig({ error: 'as saved' })
  expect(statusReason(node, undefined)).toBe('as saved')
  expect(statusReason(node, source({ health: 'unknown' }))).toBe('as saved')
  expect(statusReason(node, source({ health: 'error', error: 'now' }))).toBe('now')
  expect(statusReason(node, source({}))).toBeUndefined()
})
