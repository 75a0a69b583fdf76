import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'

journeys(
  'the address of a page',
  (given) => {
    test('Back, a reload and a link keep search, filters, sort and opened rows', async () => {
      const { page } = await given.open({ height: 3_000 })
      const view = overview(page)
      await view.ready()
      await view.showFilters()
      await view.toggle('Type', 'LXCs').click()
      await view.head('VMID').click()
      await view.search.fill('10')
      await page.waitForURL(/search=10/)
      const vmids = await view.vmids()
      await view.guest(vmids[0]!).click()
      await page.waitForURL(/open=/)
      const shown = await view.lines()
      expect(shown).toContain('details')
      const shared = page.url()

      await page.getByRole('link', { name: 'Storage', exact: true }).click()
      await page.waitForURL(/storage/)
      await page.goBack()
      await expect.poll(() => view.lines()).toEqual(shown)
      await page.reload()
      await expect.poll(() => view.lines()).toEqual(shown)

      const other = await given.open({
        height: 3_000,
        path: new URL(shared).pathname + new URL(shared).search,
      })
      await expect.poll(() => overview(other.page).lines()).toEqual(shown)
      await expectText(overview(other.page).connection).toBe('Connected')
    })

    test('the order of the disks and the tab of the backups stand in it too', async () => {
      const { page } = await given.open({ path: '/proxmox/storage?tab=disks' })
      const size = page.getByRole('columnheader', { name: 'Size', exact: true })
      await size.getByRole('button').click()
      await page.waitForURL(/diskSort=size&diskOrder=asc/)
      await size.getByRole('button').click()
      await page.waitForURL(/diskOrder=desc/)
      await page.reload()
      await expect.poll(() => size.getAttribute('aria-sort')).toBe('descending')
      await goTo(page, 'Backups')
      const protection = page.getByRole('tab', { name: 'Protection' })
      await protection.click()
      await page.waitForURL(/tab=protection/)
      await page.reload()
      await expect.poll(() => protection.getAttribute('aria-selected')).toBe('true')
    })
  },
  { everySwitch: true },
)

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
