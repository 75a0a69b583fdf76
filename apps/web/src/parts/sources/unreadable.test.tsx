// @vitest-environment happy-dom
import type { SourceState } from '@pulse/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { UnreadableStrip } from './unreadable-list.tsx'

afterEach(cleanup)

const fiveMinutesAgo = () => Date.now() - 5 * 60_000
const aSource = (name: string, what: string, change: Partial<SourceState> = {}): SourceState => ({
  name,
  kind: 'pbs',
  health: 'healthy',
  unreadable: [{ what, error: '403 no permission', right: 'Datastore.Audit', since: fiveMinutesAgo() }],
  ...change,
})

const show = (sources: Record<string, SourceState>) =>
  render(
    <LiveProvider live={aLive({ sources })}>
      <UnreadableStrip concerns={({ kind }, what) => kind === 'pbs' && what !== 'server status'} />
    </LiveProvider>,
  )
const lines = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('[design 10] the items of the page are listed by source, with age, reason and the missing permission', () => {
  show({
    b: aSource('pbs-vault', 'datastore main'),
    a: aSource('pbs-attic', 'namespace main/prod'),
    c: aSource('pbs-third', 'server status'),
    d: aSource('cluster', 'storages', { kind: 'pve' }),
  })
  const rest = ' cannot be read for 5 min.403 no permissionMissing right: Datastore.Audit'
  expect(lines()).toEqual([`attic: namespace main/prod${rest}`, `vault: datastore main${rest}`])
})

test('an unreachable source is not listed, and without items there is no strip', () => {
  show({ a: aSource('pbs-vault', 'datastore main', { health: 'error' }) })
  expect(screen.queryByRole('status')).toBeNull()
})
