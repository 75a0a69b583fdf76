// @vitest-environment happy-dom
import { notifyManager } from '@tanstack/react-query'
import { aCephCluster } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatMoment } from '../../lib/format.ts'
import { aChange, type Asked, day, lines, now, old, show } from './fake-changes.tsx'

notifyManager.setScheduler(queueMicrotask)
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

describe('[M 3.5] the page of changes', () => {
  test('shows what changed since yesterday, by day, each with time, name, kind and what happened', async () => {
    const { asked } = await show()
    const midnight = new Date(2026, 5, 9).getTime()
    expect(asked[0]).toMatchObject({ from: midnight, to: now + 60_000 })
    expect(screen.getByRole('region', { name: 'Today' }).textContent).toContain(
      'webGuest · 100 · pve1Restarted',
    )
    expect(screen.getByRole('region', { name: 'Yesterday' }).textContent).toContain('Moved from pve1 to pve2')
    expect(screen.getByRole('link', { name: 'web' }).getAttribute('href')).toBe('/proxmox/guest/main%3A100')
    expect(screen.getByText('2 changes')).toBeDefined()
  })

  test('the days are below a heading of their list, also without another list beside it', async () => {
    await show()
    const levels = screen.getAllByRole('heading').map((one) => [one.tagName, one.textContent])
    expect(levels).toEqual([
      ['H1', 'What changed'],
      ['H2', 'Changes'],
      ['H3', 'Today'],
      ['H3', 'Yesterday'],
    ])
  })

  test('a range, a time and the filters are in the address', async () => {
    const { asked } = await show(
      undefined,
      `/proxmox/changes?from=${now - day}&to=${now}&kind=guests&what=moved`,
    )
    expect(asked[0]).toMatchObject({ from: now - day, to: now, kind: 'guests', what: 'moved' })
    expect(screen.getByRole('textbox', { name: /Search changes/ })).toBeDefined()
    expect(screen.getByRole('radio', { name: 'Custom' }).getAttribute('aria-checked')).toBe('true')
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Last hour' })))
    expect(asked.at(-1)).toMatchObject({ from: now - 3_600_000, kind: 'guests' })
  })

  test('the start of the alert that led here stands between the changes, until another range is chosen', async () => {
    const at = now - day / 2
    await show(undefined, `/proxmox/changes?from=${at - day}&to=${now}&alert=${at}`)
    expect(lines().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Restarted'),
      expect.stringContaining('Alert started'),
      expect.stringContaining('Moved from'),
    ])
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' })))
    expect(screen.queryByText('Alert started')).toBeNull()
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Custom' })))
    expect(screen.queryByText('Alert started')).toBeNull()
  })

  test('the start of an alert is shown when nothing changed before it', async () => {
    await show({ changes: [] }, `/proxmox/changes?from=${now - day}&to=${now}&alert=${now - 1}`)
    expect(lines().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Alert started')])
    expect(screen.getByText('Nothing changed in this time.')).toBeDefined()
  })

  describe('the search', () => {
    const ceph = aChange({ kind: 'cephClusters', id: 'f00d', name: 'ceph', what: 'status' })
    const changes = [aChange(), { ...old, id: 'edge:101' }, ceph]
    const source = { name: 'edge', kind: 'pve', health: 'healthy' } as const
    const atBerlin = {
      sources: { edge: { ...source, site: 'Berlin' } },
      cephClusters: { f00d: aCephCluster({ source: 'edge' }) },
    } as const

    test.each([
      ['site:berlin', ['db', 'ceph']],
      ['site:main', ['web']],
      ['site:berlin we', []],
      ['Site:BER, D', ['db']],
      ['site:', ['web', 'db', 'ceph']],
    ])('%s finds changes by the site of what changed', async (text, names) => {
      await show({ changes }, `/proxmox/changes?search=${encodeURIComponent(text)}`, undefined, atBerlin)
      const found = lines().map(({ textContent }) =>
        ['web', 'db', 'ceph'].find((name) => textContent!.includes(name)),
      )
      expect(new Set(found)).toEqual(new Set(names))
    })

    test('explains site: while there are sites, and does not know it otherwise', async () => {
      const address = '/proxmox/changes?search=site:main'
      const { live } = await show({ changes }, address, undefined, { sources: { edge: source } })
      expect(lines()).toEqual([])
      expect(screen.queryByRole('button', { name: 'Search tips' })).toBeNull()
      await act(async () => live.put(atBerlin))
      expect(lines()).toHaveLength(1)
      await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Search tips' })))
      expect(await screen.findByText('changes of a site; site:main is where Pulse runs')).toBeDefined()
    })
  })

  test('a start outside the shown time is not shown', async () => {
    await show(undefined, `/proxmox/changes?from=${now - 2 * day}&to=${now}&alert=${now}`)
    expect(lines()).toHaveLength(2)
    expect(screen.queryByText('Alert started')).toBeNull()
  })

  test('[M 3.4] in the past it ends at the moment, follows each step, and does not renew itself', async () => {
    vi.useFakeTimers({ now, shouldAdvanceTime: true })
    const then = now - 3 * day
    const { asked, moveTo } = await show(
      ({ from, to }: Asked) => ({
        changes: [then, then + day]
          .map((at) => aChange({ at: at - 1, name: `at ${at}` }))
          .filter(({ at }) => from <= at && at < to),
      }),
      '/proxmox/changes?range=week',
      then,
    )
    expect(asked).toMatchObject([{ from: then - 7 * day, to: then + 1 }])
    expect(lines().map(({ textContent }) => textContent)).toEqual([expect.stringContaining(`at ${then}`)])
    await moveTo(then + day)
    expect(asked[1]).toMatchObject({ to: then + day + 1 })
    expect(lines()).toHaveLength(2)
    await act(() => vi.advanceTimersByTimeAsync(10 * 60_000))
    expect(asked).toHaveLength(2)
  })

  test('[M 3.4] in the past chosen times end at the moment, too', async () => {
    const then = now - 3 * day
    const { asked } = await show(undefined, `/proxmox/changes?from=${then - day}&to=${now}`, then)
    expect(asked[0]).toMatchObject({ from: then - day, to: then + 1 })
  })

  test('while older changes are not loaded, no page says that nothing matches', async () => {
    await show(
      ({ cursor }: Asked) =>
        cursor === undefined ? { changes: [aChange()], cursor: '7.2' } : { changes: [] },
      '/proxmox/changes?search=nowhere',
    )
    expect(screen.getByText('Nothing matches so far. Show more to search older changes.')).toBeDefined()
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show more' })))
    expect(screen.getByText('Nothing matches these filters.')).toBeDefined()
  })

  test('a search finds names', async () => {
    await show(undefined, '/proxmox/changes?search=DB')
    expect(lines().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Moved from')])
  })

  test('further pages come on demand, and are of the same time', async () => {
    const { asked } = await show(({ cursor }: Asked) =>
      cursor === undefined ? { changes: [aChange()], cursor: '7.2' } : { changes: [old] },
    )
    expect(screen.getByText('1 change so far')).toBeDefined()
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show more' })))
    expect(asked.at(-1)).toEqual({ ...asked[0], cursor: '7.2' })
    expect(lines()).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  test('the storages that grew most stand above, with their growth and share', async () => {
    const grown = [
      { kind: 'storage', id: 'a', name: 'tank', where: 'pve1', from: 1e12, to: 1.5e12, total: 2e12 },
    ]
    await show({ changes: [], grown })
    const card = screen.getByRole('region', { name: 'Grew most' })
    expect(card.textContent).toContain('tankStorage · pve1')
    expect(card.textContent).toContain('(+50.0%)')
    expect(card.textContent).toContain('now 75.0% of')
    expect(within(card).getByRole('link', { name: 'tank' }).getAttribute('href')).toBe(
      '/proxmox/storage?search=tank',
    )
  })

  test('a narrow screen shows three of the storages that grew, and the others on demand', async () => {
    const grown = ['a', 'b', 'c', 'd'].map((id) => ({ kind: 'storage', id, name: id, from: 1e9, to: 2e9 }))
    await show({ changes: [], grown })
    const card = screen.getByRole('region', { name: 'Grew most' })
    const hidden = () => card.querySelectorAll('li[class*="max-lg:hidden"]').length
    expect(hidden()).toBe(1)
    await act(async () => void fireEvent.click(within(card).getByRole('button', { name: 'Show all 4' })))
    expect(hidden()).toBe(0)
    expect(within(card).getByRole('button', { name: 'Show fewer' }).getAttribute('aria-expanded')).toBe(
      'true',
    )
  })

  test('says how far the log reaches where the chosen time begins before it, and that nothing changed', async () => {
    const oldest = now - 14 * day
    await show({ changes: [], oldest }, '/proxmox/changes?range=month')
    expect(screen.getByRole('note').textContent).toBe(`The log of changes begins ${formatMoment(oldest)}.`)
    expect(screen.getByText('Nothing changed in this time.')).toBeDefined()
  })

  test('a time that the log covers needs no such note', async () => {
    await show({ changes: [], oldest: now - 14 * day }, '/proxmox/changes?range=week')
    expect(screen.queryByRole('note')).toBeNull()
  })

  test('a thing that is gone is no link', async () => {
    await show({ changes: [aChange({ what: 'went' })] })
    expect(screen.queryByRole('link', { name: 'web' })).toBeNull()
    expect(lines()[0]!.textContent).toContain('Removed')
  })

  test('a failure says why and can be tried again', async () => {
    let isBroken = true
    await show(() => {
      if (isBroken) throw new Error('the history is not open')
      return { changes: [aChange()] }
    })
    expect(screen.getByText('the history is not open')).toBeDefined()
    isBroken = false
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: /Retry|Try again/ })))
    expect(lines()).toHaveLength(1)
  })

  test('a hostile name is text', async () => {
    await show({ changes: [aChange({ name: '<img src=x onerror=alert(1)>', what: 'went' })] })
    expect(document.querySelector('img')).toBeNull()
    expect(lines()[0]!.textContent).toContain('<img')
  })
})
