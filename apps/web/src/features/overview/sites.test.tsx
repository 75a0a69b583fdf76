// @vitest-environment happy-dom
import { aGuest, aNode, aPbsServer } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { OverviewPage } from './page.tsx'

const minuteMs = 60_000
const staleSince = Date.now() - 3 * minuteMs
const healthy = { name: 'main', kind: 'pve', health: 'healthy' } as const
const atBerlin = { ...healthy, name: 'edge', site: 'Berlin' } as const
const lost = {
  ...atBerlin,
  health: 'unknown',
  staleSince,
  siteUnreachableSince: Date.now() - 2 * minuteMs,
} as const

const records = {
  nodes: {
    'c1:pve1': aNode({ source: 'c1' }),
    'c2:pve2': aNode({ source: 'c2', instance: 'edge', node: 'pve2', name: 'pve2', displayName: 'pve2' }),
  },
  guests: {
    g1: aGuest({ source: 'c1', vmid: 100, name: 'web' }),
    g2: aGuest({ source: 'c2', vmid: 200, name: 'db', instance: 'edge', node: 'pve2' }),
    g3: aGuest({ source: 'c2', vmid: 201, name: 'old', instance: 'edge', node: 'pve2', status: 'stopped' }),
  },
}
const marked = {
  ...records,
  nodes: {
    ...records.nodes,
    'c2:pve2': { ...records.nodes['c2:pve2'], connectionHealth: 'unknown', staleSince },
  },
  guests: {
    ...records.guests,
    g2: { ...records.guests.g2, cpu: 0.421, connectionHealth: 'unknown', staleSince },
    g3: { ...records.guests.g3, connectionHealth: 'unknown', staleSince },
  },
  pbs: { b1: aPbsServer({ source: 'b1', connectionHealth: 'unknown', staleSince }) },
} as const

async function given(sources: object, of: Parameters<typeof aLive>[0] = records, address = '/') {
  const live = aLive({ ...of, sources: sources as never })
  await renderInApp(<OverviewPage />, {
    live,
    router: aRouter(address),
    replies: { '/api/guests/metadata': {} },
  })
  return live
}
const lines = () => [...document.querySelectorAll('.lost-site')].map(({ textContent }) => textContent)
const rows = () =>
  [...document.querySelectorAll('[data-row^="guest:"]')].map((row) => row.getAttribute('data-row'))
const badges = () => screen.queryAllByText('Berlin').length

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a site without word', () => {
  test('is one line, and its machines keep their last figures: nothing is called offline or unreachable', async () => {
    const live = await given({ c1: healthy, c2: lost, b1: { ...lost, name: 'pbs-b', kind: 'pbs' } }, marked)
    await waitFor(() => expect(lines()).toEqual(['site Berlin: no word for 2 min']))
    expect(screen.getByRole('status').textContent, 'a duration is not read out again').toBe(
      'site Berlin: no word',
    )
    expect(document.querySelector('.unreachable-strip')).toBeNull()
    expect(screen.queryByText('Offline')).toBeNull()
    expect(document.body.textContent).not.toContain('of them unreachable')
    const row = document.querySelector('[data-row="guest:g2"]')!
    expect(row.textContent).toContain('42.1%')
    expect(screen.getAllByText('Stale 3m').length).toBeGreaterThan(0)
    act(() => live.put({ sources: { c2: atBerlin, b1: { ...atBerlin, name: 'pbs-b', kind: 'pbs' } } }))
    expect(lines()).toEqual([])
  })

  test('its nodes and guests say so themselves, and no guest of it counts as stopped or unreachable', async () => {
    const live = await given({ c1: healthy, c2: lost, b1: { ...lost, name: 'pbs-b', kind: 'pbs' } }, marked)
    const stateOf = (row: string) => document.querySelector(`[data-row="${row}"] .status-dot`)?.textContent
    expect(stateOf('guest:g2')).toBe('No word from its site, last known running')
    expect(stateOf('guest:g3')).toBe('No word from its site, last known stopped')
    // the lines of its node and of its backup server
    expect(screen.getAllByText('No word from its site').length).toBe(2)
    expect(document.body.textContent).not.toContain('Not answering')
    expect(document.querySelector('[data-foot]')!.textContent).toBe('2 running0 stopped1 unknown')
    expect(screen.getByText('1 of 1 running, 1 unknown')).toBeDefined()
    const figure = (name: RegExp) => screen.getByRole('button', { name })
    expect(figure(/^Stopped/).textContent).toBe('Stopped 0')
    expect(figure(/^Unreachable/).textContent).toBe('Unreachable 0')
    fireEvent.click(figure(/^Stopped/))
    expect(rows()).toEqual([])
    fireEvent.click(figure(/^Stopped/))
    act(() => live.put({ sources: { c2: { ...atBerlin, health: 'unknown', staleSince } } }))
    expect(stateOf('guest:g2')).toBe('Not answering, last known running')
  })

  test('has a line of its own beside those of other sites', async () => {
    await given({ c1: { ...lost, site: 'Rome' }, c2: lost })
    await waitFor(() =>
      expect(lines()).toEqual(['site Berlin: no word for 2 min', 'site Rome: no word for 2 min']),
    )
  })
})

describe('the search', () => {
  test.each([
    ['site:ber', ['guest:g2', 'guest:g3']],
    ['site:main', ['guest:g1']],
    ['site:berlin, name:web', []],
  ])('%s finds by site, and the main site is called so', async (text, expected) => {
    await given({ c1: healthy, c2: atBerlin }, records, `/?search=${encodeURIComponent(text)}`)
    expect(rows()).toEqual(expected)
  })

  test('does not know sites while there is only the main one', async () => {
    await given({ c1: healthy, c2: { ...healthy, name: 'edge' } }, records, '/?search=site:main')
    expect(rows()).toEqual([])
    expect(document.body.textContent).toContain('guests have no site')
  })
})

test('the site of a machine is shown while there is more than the main one', async () => {
  const live = await given({ c1: healthy, c2: atBerlin })
  expect(badges()).toBeGreaterThan(0)
  act(() => live.put({ sources: { c2: { ...healthy, name: 'edge' } } }))
  expect(badges()).toBe(0)
})
