// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aRouter } from '../../ui/router/fake-history.ts'
import { head, inFreshBrowsers, keys, showSummary } from './fake-summary.tsx'

inFreshBrowsers()

const orderOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
const press = (name: string) => act(async () => void fireEvent.click(head(name)))

test('the address contains the order of the nodes unless it is the default', async () => {
  const router = aRouter('/?sort=cpu')
  await showSummary('overview', undefined, router)
  const search = () => router.view().location.search
  await press('CPU')
  expect(search()).toBe('?sort=cpu&nodeSort=cpu&nodeOrder=desc')
  const shown = keys()
  cleanup()
  await showSummary('overview', undefined, aRouter(`/${search()}`))
  expect([keys(), orderOf('CPU')]).toEqual([shown, 'descending'])
  cleanup()
  await showSummary('overview', undefined, router)
  await press('CPU')
  expect(search()).toBe('?sort=cpu&nodeSort=cpu&nodeOrder=asc')
  await press('CPU')
  expect([search(), orderOf('CPU')]).toEqual(['?sort=cpu', 'none'])
})

test.each(['?nodeSort=colour', '?nodeSort=disks&nodeOrder=asc'])(
  'a column that this page does not have is ignored: %s',
  async (query) => {
    await showSummary()
    const usual = keys()
    cleanup()
    await showSummary('overview', undefined, aRouter(`/${query}`))
    expect(keys()).toEqual(usual)
  },
)

test('without a direction a column uses its first direction', async () => {
  await showSummary('overview', undefined, aRouter('/?nodeSort=cpu&nodeOrder=sideways'))
  expect(orderOf('CPU')).toBe('descending')
})
