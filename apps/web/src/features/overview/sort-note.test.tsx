// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { inFreshBrowsers, showOverview } from './fake-overview.tsx'

inFreshBrowsers()

/** Answers the page's media queries: a phone is narrow too. */
function inWindow({ narrow, phone = false }: { narrow: boolean; phone?: boolean }) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('40rem') ? phone : query.includes('width <') && narrow,
    addEventListener() {},
    removeEventListener() {},
  }))
}

const note = () => screen.queryByRole('button', { name: /^Sorted by/ })

describe('an order that no column head shows is named in the line above the table', () => {
  test('a rate, where the window has no column for it', async () => {
    inWindow({ narrow: true })
    localStorage.setItem('sortKey', 'networkIn')
    localStorage.setItem('sortDirection', 'desc')
    await showOverview()
    expect(note()!.textContent).toBe('Sorted by Net In, descending')
    await act(async () => void fireEvent.click(note()!))
    expect(screen.getByRole('combobox', { name: 'Sort by' })).toBeDefined()
    expect(note()).toBeNull()
  })

  test('any but the usual one, where there are no column heads', async () => {
    inWindow({ narrow: true, phone: true })
    localStorage.setItem('sortKey', 'cpu')
    localStorage.setItem('sortDirection', 'desc')
    await showOverview()
    expect(note()!.textContent).toBe('Sorted by CPU, descending')
  })

  test.each([
    ['a column that the window has', { narrow: true }, 'cpu'],
    ['a rate in a wide window', { narrow: false }, 'networkIn'],
    ['the usual order of a phone', { narrow: true, phone: true }, 'vmid'],
  ])('not of %s', async (_, size, key) => {
    inWindow(size)
    localStorage.setItem('sortKey', key)
    localStorage.setItem('sortDirection', key === 'vmid' ? 'asc' : 'desc')
    await showOverview()
    expect(screen.getByRole('button', { name: /^Filters/ })).toBeDefined()
    expect(note()).toBeNull()
  })
})
