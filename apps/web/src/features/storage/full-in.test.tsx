// @vitest-environment happy-dom
import { aCephCluster, anAlert, aStorage } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { cells, freshPools, given, poolRows, row } from './fake-storage.tsx'

freshPools()

const day = 24 * 3_600_000
const forecast = (days: number) => ({
  fullAt: Date.now() + days * day,
  earliestAt: Date.now() + 0.75 * days * day,
  latestAt: Date.now() + 1.5 * days * day,
  since: Date.now() - 14 * day,
})
const storage = {
  soon: aStorage({ id: 'a', name: 'soon', forecast: forecast(12) }),
  later: aStorage({ id: 'b', name: 'later', forecast: forecast(200) }),
  still: aStorage({ id: 'c', name: 'still', forecast: { reason: 'flat' } }),
}
const column = 7

test('[M 3.6] the column shows days, and its note the range or why there is none', async () => {
  await given({ storage })
  expect(['soon', 'later', 'still'].map((id) => cells(`pool:${id}`)[column])).toEqual([
    '12 days',
    '200 days',
    '—',
  ])
  const notes = (id: string) =>
    [...row(`pool:${id}`).querySelectorAll<HTMLElement>('[data-tip]')].map((one) => one.dataset['tip'])
  expect(notes('soon')).toContain('Between 9 and 18 days, from the last 14 days')
  expect(notes('still')).toContain('Not growing')
})

test('[M 3.6] it sorts by the day, those without one last in both directions', async () => {
  await given({ storage })
  fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
  const head = within(screen.getByLabelText('Storage pools')).getByRole('button', { name: 'Full in' })
  fireEvent.click(head)
  expect(poolRows()).toEqual(['pool:soon', 'pool:later', 'pool:still'])
  fireEvent.click(head)
  expect(poolRows()).toEqual(['pool:later', 'pool:soon', 'pool:still'])
})

test('[M 3.6] only an active alert about it gives it a colour', async () => {
  await given({ storage, activeAlerts: { one: anAlert({ type: 'full-within', resourceId: 'b' }) } })
  const toned = (id: string) =>
    within(row(`pool:${id}`))
      .getByText(/days$/)
      .closest('.text-yellow') !== null
  expect([toned('soon'), toned('later')]).toEqual([false, true])
})

test('[M 3.6] on a phone it is a fact of those that are full within a month', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  await given({ storage })
  expect(row('pool:soon').textContent).toContain('full in 12 days')
  for (const id of ['later', 'still']) expect(row(`pool:${id}`).textContent).not.toContain('full in')
})

test('[M 3.6] an opened storage has it in words', async () => {
  await given({ storage })
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /soon/ })))
  expect(screen.getByText('Full in', { selector: 'dt' }).nextSibling!.textContent).toBe(
    '12 days · between 9 and 18 days, from the last 14 days',
  )
})

test('[M 3.6] an opened Ceph storage has the forecast of its cluster', async () => {
  await given({
    storage: { fast: aStorage({ name: 'fast', type: 'rbd' }) },
    cephClusters: { f1: aCephCluster({ source: 'main', forecast: { reason: 'flat' } }) },
  })
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /fast/ })))
  expect(screen.getByRole('heading', { name: 'Usage' }).parentElement!.textContent).toContain(
    'Full in Not growing',
  )
  expect(screen.getByRole('heading', { name: 'Storage fast' }).nextSibling!.textContent).toContain('Full in')
})
