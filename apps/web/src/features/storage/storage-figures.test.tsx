// @vitest-environment happy-dom
import { aDisk, aNode, aStorage } from '@pulse/testkit'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { given, openDisks, poolRows, press, row, rowsOf, search, type } from './fake-storage.tsx'

const estate = {
  nodes: { n1: aNode() },
  storage: { s1: aStorage({ name: 'local' }), s2: aStorage({ name: 'old-nas', status: 'inactive' }) },
  physicalDisks: { d1: aDisk({ devPath: '/dev/sda' }), d2: aDisk({ devPath: '/dev/sdb', health: 'FAILED' }) },
}
const attention = () => screen.getByRole('button', { name: /^Need attention/ })
const foot = () => document.querySelector('[data-foot]')?.textContent

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

test('what needs attention is counted above the tables; pressed it leaves only that, on both tabs', async () => {
  await given(estate)
  expect(attention().textContent).toBe('Need attention 1 storage, 1 disk')
  expect(poolRows()).toHaveLength(3)
  fireEvent.click(attention())
  expect(attention().getAttribute('aria-pressed')).toBe('true')
  expect(poolRows().slice(1)).toEqual(['pool:s2'])
  await openDisks()
  expect(rowsOf('Physical disks')).toEqual(['disk:d2'])
  press('Escape')
  expect(rowsOf('Physical disks')).toHaveLength(2)
})

test('the foot counts what is shown only where that is not what the page counts above', async () => {
  await given(estate)
  expect(foot()).toBe('1 not available')
  await type('local')
  expect(search().value).toBe('local')
  expect(foot()).toBe('1 storage shown')
})

test('one that is disabled on purpose needs no attention, and is not counted as not available', async () => {
  await given({
    ...estate,
    storage: { s1: aStorage({ name: 'local' }), s2: aStorage({ status: 'disabled', enabled: false }) },
  })
  expect(attention().textContent).toBe('Need attention 1 disk')
  expect(foot()).toBeUndefined()
  expect(row('pool:s2').textContent).toContain('disabled')
  expect(row('pool:s2').querySelector('[class*="text-red"]')).toBeNull()
  fireEvent.click(attention())
  expect(screen.queryByLabelText('Storage pools')).toBeNull()
})

test('old figures count for storages alone, and the hint says so', async () => {
  const staleSince = Date.UTC(2026, 0, 1, 12)
  await given({
    nodes: estate.nodes,
    storage: { s1: aStorage({ staleSince }) },
    physicalDisks: { d1: aDisk({ staleSince }) },
  })
  expect(attention().textContent).toBe('Need attention 1 storage')
  fireEvent.focus(attention())
  expect(attention().getAttribute('data-tip')).toBe(
    'Show only storages that are unavailable, degraded, full, stale or alerting, and disks that failed or are worn out',
  )
})
