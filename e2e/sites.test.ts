import type { Alert, NodeConfig } from '@pulse/contract'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { loseSite } from './lost-site.ts'

const site = 'Berlin'
const widths = [1440, 380]
const lost = /^site Berlin: no word for \d+ min$/
const places = [
  ['/proxmox/overview', 'gridcell'],
  ['/proxmox/storage', 'gridcell'],
  ['/proxmox/backups', 'gridcell'],
  ['/proxmox/mail', 'article'],
] as const

journeys(
  'connections of a second site',
  (given) => {
    /** The second cluster is elsewhere. */
    async function moveAway() {
      const nodes = (await given.estate.call('GET', '/api/config/nodes')) as NodeConfig[]
      const away = nodes.filter(({ type }) => type === 'pve')[1]!
      await given.estate.call('PUT', `/api/config/nodes/${away.id}`, { site })
      return away
    }

    test('the form of a connection has a field for the site once one has a site', async () => {
      const { page } = await given.open({ path: '/settings/pve' })
      const edit = page.getByRole('button', { name: /^Edit / }).first()
      await edit.click()
      await page.getByRole('textbox', { name: 'Name' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Site' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      const { name } = await moveAway()
      await page.getByText(`Site ${site}`).waitFor()
      await page.getByRole('button', { name: `Edit ${name}` }).click()
      const field = page.getByRole('textbox', { name: 'Site' })
      await expect.poll(() => field.inputValue()).toBe(site)
      await examine(page, 'site-form-1440')
      await page.setViewportSize({ width: 380, height: 800 })
      await field.scrollIntoViewIfNeeded()
      await examine(page, 'site-form-380')
    })

    test('guests, storages, disks and backups are found by site', async () => {
      await moveAway()
      for (const [path, thing] of [
        ['/proxmox/overview?search=site:', 'guest'],
        ['/proxmox/storage?search=site:', 'pool'],
      ] as const) {
        const { page } = await given.open({ path: `${path}berlin` })
        const found = page.locator(`[data-row^="${thing}:"]`)
        await found.first().waitFor()
        expect(await page.getByText(site).count()).toBeGreaterThan(0)
        await page.goto(`${given.estate.url}${path}nowhere`)
        await page
          .getByRole('button', { name: /^Reset/ })
          .first()
          .waitFor()
        await expect.poll(() => found.count()).toBe(0)
      }
    })

    test('alerts are found by the site of their source, active and in the history', async () => {
      await moveAway()
      const { call } = given.estate
      await call('POST', '/api/alerts/activate')
      const active = async () => (await call('GET', '/api/alerts/active')) as Alert[]
      const sites = async () => [...new Set((await active()).map((alert) => alert.site))]
      await expect.poll(sites, { timeout: within(90_000), interval: 500 }).toContain(site)
      const { resourceName } = (await active()).find((alert) => alert.site === site)!
      for (const section of ['overview', 'history']) {
        const path = `/alerts/${section}?search=site:`
        const { page } = await given.open({ path: `${path}berlin` })
        const shown = page.getByText(resourceName, { exact: true })
        await shown.first().waitFor()
        await examine(page, `site-alerts-${section}-1440`)
        await page.goto(`${given.estate.url}${path}nowhere`)
        await page.getByRole('textbox', { name: /^Search/ }).waitFor()
        await expect.poll(() => shown.count()).toBe(0)
      }
    })

    test.each(widths)(
      'a site without word is one line at %d px, and nothing is called offline',
      async (width) => {
        const { id } = await moveAway()
        const since = Date.now() - 150_000
        for (const [path, thing] of places) {
          const { page } = await given.open({
            path,
            width,
            prepare: ({ page: opened }) => loseSite(opened, site, since),
          })
          await page.getByText(lost).waitFor({ timeout: within(30_000) })
          await page.getByRole(thing).first().waitFor()
          expect(await page.locator('.lost-site').count()).toBe(1)
          expect(await page.locator('.unreachable-strip').count()).toBe(0)
          expect(await page.getByText('Offline', { exact: true }).count()).toBe(0)
          expect(await page.getByText(/^Not answering/).count()).toBe(0)
          await examine(page, `site-${path.split('/').at(-1)!}-${width}`)
        }
        const { page } = await given.open({
          width,
          prepare: ({ page: opened }) => loseSite(opened, site, since),
        })
        await page.getByText(/^\d+ unknown$/).waitFor({ timeout: within(30_000) })
        const guest = page.locator(`[data-row^="guest:${id}:"]`).first()
        const row = (await guest.getAttribute('data-row'))!
        await page.goto(`${given.estate.url}/proxmox/guest/${encodeURIComponent(row.slice('guest:'.length))}`)
        const status = page.locator('dd').filter({ hasText: /^No word from its site/ })
        await expect.poll(() => status.allTextContents()).toEqual([expect.stringContaining('last known')])
        await page.getByText(site, { exact: true }).waitFor()
        await examine(page, `site-guest-${width}`)
        await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last().click()
        await expect.poll(() => status.allTextContents()).toEqual(['No word from its site'])
        await page.getByText(site, { exact: true }).waitFor()
        expect(await page.getByText(/^Not answering/).count()).toBe(0)
        await examine(page, `site-node-${width}`)
      },
    )
  },
  { lab: { clusters: 2, nodes: 4, guests: 24, pbs: 1, pmg: 1 } },
)
