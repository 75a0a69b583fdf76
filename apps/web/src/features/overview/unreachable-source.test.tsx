// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { OverviewPage } from './page.tsx'

async function given(records: Parameters<typeof aLive>[0]) {
  const live = aLive(records)
  await renderInApp(<OverviewPage />, { live, replies: { '/api/guests/metadata': {} } })
  return live
}

const strip = () => document.querySelector('.unreachable-strip')!
const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('[R7] an unreachable source shows its last figures in grey and their age in one line, and nothing is called offline', async () => {
  const staleSince = Date.now() - 130_000
  const sources = {
    c1: { name: 'main', kind: 'pve', health: 'error', error: 'main: connection refused', staleSince },
    c2: { name: 'edge', kind: 'pve', health: 'healthy' },
  } as const
  await given({
    nodes: {
      n1: aNode({ connectionHealth: 'error', staleSince }),
      n2: aNode({ instance: 'edge', node: 'pve2', displayName: 'pve2' }),
    },
    guests: {
      g1: aGuest({ vmid: 100, cpu: 0.421, staleSince }),
      g2: aGuest({ vmid: 101, status: 'stopped', staleSince }),
      g3: aGuest({ vmid: 102, instance: 'edge', node: 'pve2', cpu: 0.3 }),
    },
    sources,
  })
  expect(strip().textContent).toBe(
    'main does not answer. Its figures are from 2 minutes ago.main: connection refused',
  )
  expect(screen.getByRole('status').textContent, 'an age is not read out again').toBe('main does not answer.')
  expect(row('guest:g1').textContent).toContain('42.1%')
  expect(row('guest:g1').querySelector('[data-dimmed="true"]')).not.toBeNull()
  expect(row('guest:g1').textContent).not.toContain('Stale')
  expect(row('guest:g3').querySelector('[data-dimmed="true"]')).toBeNull()
  expect(screen.queryByText('Offline')).toBeNull()
  expect(screen.getByText('1 running')).toBeDefined()
  expect(screen.getByText(/2 stopped/).textContent).toBe('2 stopped, 2 of them unreachable')
})

test('a source that refuses access reads differently from one that does not answer; several share one line', async () => {
  const sources = {
    c1: {
      name: 'main',
      kind: 'pve',
      health: 'error',
      error: 'main: credentials were not accepted',
      lastSeen: 1,
      refused: true,
    },
    c2: { name: 'pbs-store', kind: 'pbs', health: 'error', error: 'store: connection refused' },
    c3: { name: 'edge', kind: 'pve', health: 'degraded' },
  } as const
  const live = await given({
    nodes: { n1: aNode() },
    guests: { g1: aGuest() },
    sources,
  })
  expect(strip().textContent).toBe(
    '2 sources bring nothing new: main, store.main: credentials were not accepted',
  )
  act(() => live.remove('sources', 'c2'))
  expect(strip().textContent).toMatch(/^main refused access\. .*credentials were not accepted$/)
  act(() => live.remove('sources', 'c1'))
  expect(screen.queryByRole('status')).toBeNull()
})
