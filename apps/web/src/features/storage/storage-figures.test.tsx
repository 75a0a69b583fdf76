// @vitest-environment happy-dom
import { aDisk, aNode, aStorage } from '@pulse/testkit'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { given, openDisks, poolRows, press, rowsOf, search, type } from './fake-storage.tsx'

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
