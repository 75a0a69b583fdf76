import { expect, test } from 'vitest'
import { haveSamples } from './have-samples.ts'
import { expectInk, inkIn } from './ink.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'

const path = '/api/history/trends'

journeys(
  'trends',
  (given) => {
    test('[M 3.2] the switch puts the last hour behind the figures, moves nothing, and is remembered', async () => {
      await haveSamples(given.estate)
      const { page } = await given.open()
      const asked: string[] = []
      page.on(
        'request',
        (request) => void (new URL(request.url()).pathname === path && asked.push(request.url())),
      )
      const view = overview(page)
      await view.ready()
      const toggle = page.getByRole('button', { name: 'Trends', exact: true })
      const [vmid] = await view.vmids()
      const cell = view.cell(vmid!, 'Memory')
      const before = await cell.boundingBox()
      expect([await toggle.getAttribute('aria-pressed'), asked]).toEqual(['false', []])

      await toggle.click()
      await expectInk(page, cell).toBeGreaterThan(0)
      await expectInk(page, view.node('pve1').getByRole('gridcell').nth(2)).toBeGreaterThan(0)
      expect(await inkIn(page, view.cell(vmid!, 'Name'))).toBe(0)
      expect(await cell.boundingBox()).toEqual(before)
      expect(await page.locator('canvas').count(), 'one for the nodes and one for the guests').toBe(2)

      await page.reload()
      await view.ready()
      await expectInk(page, cell).toBeGreaterThan(0)

      await toggle.click()
      await expect.poll(() => page.locator('canvas').count()).toBe(0)
      expect(await toggle.getAttribute('aria-pressed')).toBe('false')
    })

    test('[M 3.2] rows that scroll into view have theirs, and another order takes them along', async () => {
      await haveSamples(given.estate)
      const { page } = await given.open({
        path: '/proxmox/overview?grouping=flat',
        stored: { trends: 'true' },
      })
      const view = overview(page)
      await view.ready()
      await page.mouse.move(700, 700)
      await page.mouse.wheel(0, 600)
      const last = view.guests.locator('[data-row^="guest:"]:has([data-dimmed="false"])').last()
      await expectInk(page, last.getByRole('gridcell').nth(5)).toBeGreaterThan(0)
      await view.head('Memory').click()
      await page.mouse.wheel(0, -5_000)
      const first = view.guests.locator('[data-index="0"]')
      await expectInk(page, first.getByRole('gridcell').nth(5)).toBeGreaterThan(0)
    })

    test('[M 3.2] on a phone the second line of a row has them', async () => {
      await haveSamples(given.estate)
      const { page } = await given.open({ width: 380, height: 800, stored: { trends: 'true' } })
      const row = page.locator('[data-row^="guest:"]:has([data-dimmed="false"])').first()
      await row.waitFor()
      await expectInk(page, row.getByRole('gridcell').nth(1)).toBeGreaterThan(0)
      expect(await inkIn(page, row.getByRole('gridcell').first())).toBe(0)
    })
  },
  { lab: { guests: 40 } },
)
