// @vitest-environment happy-dom
import { aNode } from '@pulse/testkit'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../live/fake-live.ts'
import { renderInApp } from '../parts/fake-app.tsx'
import { ConnectionIndicator, LostSources } from './connection-indicator.tsx'

afterEach(cleanup)

const Shown = () => (
  <>
    <LostSources />
    <ConnectionIndicator />
  </>
)
const connection = () => screen.getByRole('status', { name: 'Connection' })

test('[spec 1 §2] it shows Connected, and is not green while a source is unreachable', async () => {
  const live = aLive({ nodes: { n1: aNode() } })
  await renderInApp(<Shown />, { live })
  expect(connection().className).toContain('text-green')
  expect(screen.queryByRole('link')).toBeNull()
  act(() => live.put({ nodes: { n1: aNode({ status: 'offline' }) } }))
  expect(connection().textContent).toBe('Connected')
  expect(connection().className).not.toContain('green')
  const failed = screen.getByRole('link', { name: 'pve1 unreachable' })
  expect(failed.dataset['tip']).toBe('Cannot be reached:\npve1')
})

test('several are counted, and named by the tooltip', async () => {
  const nodes = { n1: aNode({ status: 'offline' }), n2: aNode({ node: 'pve2', status: 'offline' }) }
  await renderInApp(<Shown />, { live: aLive({ nodes }) })
  const failed = screen.getByRole('link', { name: '2 unreachable' })
  expect(failed.dataset['tip']).toBe('Cannot be reached:\npve1\npve2')
})

test('untrusted certificates are listed apart from unreachable sources', async () => {
  const edge = { name: 'edge', kind: 'pve', health: 'error', untrusted: true } as const
  const live = aLive({ sources: { edge } })
  await renderInApp(<Shown />, { live })
  expect(screen.getByRole('link').dataset['tip']).toBe('Certificate not trusted:\nedge')
  expect(screen.getByRole('link').textContent).toBe('edge not trusted')
  act(() => live.put({ sources: { edge, far: { ...edge, name: 'far', untrusted: false } } }))
  expect(screen.getByRole('link').textContent).toBe('1 unreachable, 1 not trusted')
  expect(screen.getByRole('link').dataset['tip']).toBe(
    'Cannot be reached:\nfar\nCertificate not trusted:\nedge',
  )
})

test('the tooltip of very many lists as many as fit', async () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`n${at}`, aNode({ node: `pve${at + 100}`, status: 'offline' })]),
  )
  await renderInApp(<Shown />, { live: aLive({ nodes }) })
  const lines = screen.getByRole('link', { name: '250 unreachable' }).dataset['tip']!.split('\n')
  expect(lines).toHaveLength(17)
  expect(lines.at(-1)).toBe('and 235 more')
})

test('a lost connection replaces them', async () => {
  const live = aLive({ nodes: { n1: aNode({ status: 'offline' }) } }, { status: 'disconnected' })
  await renderInApp(<Shown />, { live })
  expect(connection().className).toContain('text-red')
  expect(screen.queryByRole('link')).toBeNull()
})
