import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { haveSamples } from './have-samples.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'
import { smallTargets } from './targets.ts'

journeys(
  'pages of guests and nodes',
  (given) => {
    test('[M 3.3] a row leads to the page of its guest, whose address works after a reload', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      await view.guest(100).hover()
      await view.guest(100).getByRole('link', { name: 'Open page of web01' }).click()
      await expectThing(page, 'web01')
      expect(new URL(page.url()).pathname).toMatch(/^\/proxmox\/guest\/[^/]+%3A100$/)
      const figures = page.getByRole('region', { name: 'Current figures' })
      await expect.poll(() => figures.getByText('%').count(), { timeout: within(30_000) }).toBe(3)

      await page.reload()
      await expectThing(page, 'web01')
      await page.goBack()
      await view.ready()
      expect(await page.title()).toBe('Overview · Pulse')
    })

    test('[M 3.3] the keyboard reaches it from the row, without moving what the row shows', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      const cell = view.cell(100, 'Name')
      const before = await cell.innerText()
      const link = view.guest(100).getByRole('link', { name: 'Open page of web01' })
      const icon = () => link.locator('svg').evaluate((element) => getComputedStyle(element).visibility)
      expect(await icon(), 'invisible things are not painted').toBe('hidden')
      await view.guest(100).focus()
      await expect.poll(icon).toBe('visible')
      expect(await cell.innerText()).toBe(before)
      await link.focus()
      await page.keyboard.press('Enter')
      await expectThing(page, 'web01')
    })

    test('[M 3.3] from a node to one of its guests and back up', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      await view.group('pve1').getByRole('link', { name: 'Open page of pve1' }).click()
      await expectThing(page, 'pve1')
      await page
        .getByRole('grid', { name: 'Guests of this node' })
        .getByRole('link', { name: 'web01' })
        .click()
      await expectThing(page, 'web01')
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'pve1' }).click()
      await expectThing(page, 'pve1')
    })

    test('[M 3.3] on a phone the opened row leads to it', async () => {
      const { page } = await given.open({ width: 380, height: 800 })
      await page.getByRole('button', { name: 'Details of web01' }).click()
      await page.getByRole('link', { name: 'Open page of web01' }).click()
      await expectThing(page, 'web01')
    })

    test.each(screens)('[M 3.3] both pages fit and are accessible: $title', async (screen) => {
      const { page } = await given.open(screen)
      await overview(page).ready()
      const id = await storeId(page, 100)
      for (const [path, name] of [
        [`guest/${encodeURIComponent(id)}`, 'web01'],
        [`node/${encodeURIComponent(id.replace(/100$/, 'pve1'))}`, 'pve1'],
      ] as const) {
        await page.goto(new URL(`/proxmox/${path}`, given.estate.url).href)
        await expectThing(page, name)
        await page.getByRole('group', { name: `History of ${name}` }).waitFor()
        await expectNoSideways(page)
        if (screen.width < 640) await expect.poll(() => smallTargets(page)).toEqual([])
        await examine(page, `${name}-${screen.title}`)
      }
    })

    test('[M 3.3] a guest that was deleted stays readable', async () => {
      await haveSamples(given.estate)
      const { page } = await given.open()
      await overview(page).ready()
      const id = await storeId(page, 101)
      await page.goto(new URL(`/proxmox/guest/${encodeURIComponent(id)}`, given.estate.url).href)
      await expectThing(page, 'db01')
      given.estate.lab.control.deleteGuest(101)
      await page.getByText('Deleted', { exact: true }).waitFor({ timeout: within(120_000) })
      await expectThing(page, 'db01')
      await page.reload()
      await expectThing(page, 'db01')
      await page.getByRole('group', { name: 'History of db01' }).getByText('CPU', { exact: true }).waitFor()

      await page.goto(new URL('/proxmox/guest/none%3A1', given.estate.url).href)
      await page.getByRole('heading', { name: 'Guest not found' }).waitFor()
      await examine(page, 'guest-not-found')
    })

    test('[M 3.3] a source that stops answering is a line of its own, and moves nothing', async () => {
      const { page } = await given.open()
      await overview(page).ready()
      const id = await storeId(page, 100)
      await page.goto(new URL(`/proxmox/guest/${encodeURIComponent(id)}`, given.estate.url).href)
      await expectThing(page, 'web01')
      const figures = page.getByRole('region', { name: 'Current figures' })
      const before = await figures.boundingBox()
      given.estate.lab.control.addFault({ kind: 'reset' })
      try {
        await page.getByText(/does not answer\.$/).waitFor({ timeout: within(120_000) })
        expect((await figures.boundingBox())!.y).toBe(before!.y)
      } finally {
        given.estate.lab.control.clearFaults()
      }
    })
  },
  { lab: { guests: 40 } },
)

async function expectThing(page: Page, name: string) {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe(`${name} · Pulse`)
}

const storeId = async (page: Page, vmid: number) =>
  (await page.locator(`[data-row^="guest:"][data-row$=":${vmid}"]`).getAttribute('data-row'))!.slice(
    'guest:'.length,
  )
