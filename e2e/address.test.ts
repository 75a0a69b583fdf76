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

    test.each([
      {
        path: '/alerts?level=critical&grouping=node',
        to: '/alerts/overview?level=critical&grouping=node',
        box: undefined,
      },
      {
        path: '/alerts/thresholds?search=pve1',
        to: '/alerts/thresholds/proxmox?search=pve1',
        box: 'Search resources',
      },
      {
        path: '/alerts/history?search=pve1&period=30d',
        to: '/alerts/history?search=pve1&period=30d',
        box: 'Search alerts',
      },
      { path: '/settings?tab=urls&search=10', to: '/settings/urls?search=10', box: 'Filter guests' },
    ])('$path is kept as $to on a reload and on Back', async ({ path, to, box }) => {
      const { page } = await given.open({ path })
      const stands = () => {
        const { pathname, search } = new URL(page.url())
        return pathname + search
      }
      await expect.poll(stands).toBe(to)
      const search = new URLSearchParams(to.split('?')[1]).get('search')
      const isSearched = async () =>
        !box || (await page.getByLabel(box, { exact: true }).inputValue()) === search
      await expect.poll(isSearched).toBe(true)
      await page.reload()
      await expect.poll(isSearched).toBe(true)
      await goTo(page, 'Proxmox')
      await page.waitForURL(/proxmox.overview/)
      await page.goBack()
      await expect.poll(stands).toBe(to)
      await expect.poll(isSearched).toBe(true)
    })

    test('a search is in it when typing pauses, without one more step back, and leaves it when it is emptied', async () => {
      const { page } = await given.open({ path: '/alerts/history' })
      const steps = () => page.evaluate(() => window.history.length)
      const box = page.getByRole('textbox', { name: 'Search alerts' })
      await box.waitFor()
      const before = await steps()
      await box.fill('pve1')
      await page.waitForURL(/history\?search=pve1$/)
      await box.fill('')
      await page.waitForURL(/history$/)
      expect(await steps()).toBe(before)
    })
  },
  { everySwitch: true, prepare: ({ call }) => call('POST', '/api/alerts/activate') as Promise<void> },
)

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
