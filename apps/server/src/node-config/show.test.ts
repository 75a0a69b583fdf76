import type { SourceState } from '@pulse/contract'
import { type Connection, Secret } from '@pulse/domain'
import { expect, test } from 'vitest'
import { toNodeConfig } from './show.ts'

const connection: Connection = {
  id: 'c1',
  kind: 'pve',
  name: 'main',
  host: 'https://192.0.2.11:8006',
  auth: { type: 'token', tokenId: 'mon@pam!pulse', secret: new Secret('canary-1b7e') },
  verifySSL: true,
  flags: {},
}
const error = 'main: credentials were not accepted (401 Authentication failed!)'

test('a connection behind an unreachable site is disconnected, for that reason', () => {
  const source = { name: 'main', kind: 'pve', health: 'unknown', siteUnreachableSince: 1 } as const
  expect(toNodeConfig({ ...connection, site: 'Berlin' }, { ...source, site: 'Berlin' })).toMatchObject({
    site: 'Berlin',
    status: 'disconnected',
    error: 'No word from site Berlin.',
  })
  expect(toNodeConfig(connection, source)).toMatchObject({ error: 'No word from site main.' })
  expect(toNodeConfig(connection, source)).not.toHaveProperty('site')
})

test.each<[string, Partial<SourceState> | undefined, string]>([
  ['it was not asked yet', undefined, 'pending'],
  ['no answer came yet', { health: 'unknown' }, 'pending'],
  ['it answers', { health: 'healthy', lastSeen: 1 }, 'connected'],
  ['it answered once', { health: 'error', lastSeen: 1, error }, 'offline'],
  ['it never answered', { health: 'error', error }, 'error'],
  ['it answers, but does not let us in', { health: 'error', lastSeen: 1, error, refused: true }, 'error'],
])('[spec 2 §4] %s: %o reads %s, with its reason', (_case, source, status) => {
  const shown = toNodeConfig(
    connection,
    source && { name: 'main', kind: 'pve', health: 'unknown', ...source },
  )
  expect(shown.status).toBe(status)
  expect(shown.error).toBe(source?.error)
})
