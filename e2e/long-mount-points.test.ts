import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'
import type { Past } from './past.ts'
import { expectNoSideways } from './screens.ts'

const vmid = 101
const long = 'customerdata'
const hourMinutes = 60
const dayHours = 24
/** Forecasts follow a start within a minute. */
const forecastMs = 120_000

/** Six days, in which a file system with a long mount point fills. */
const past: Past = {
  parts: Array.from({ length: 36 }, (_, n) => ({
    minutesAgo: (6 * dayHours - n * 4) * hourMinutes,
    minutes: n === 0 ? 3 : 1,
    happen: (control) =>
      void control.patchGuest(vmid, {
        agent: 'running',
        filesystems: 'long-name',
        maxDisk: 6e10,
        diskUsed: Math.round(2e10 + 8e8 * n),
      }),
  })),
}

const phone = { width: 380, height: 3_000 }
/** The elements with the name, uncut, that it makes wider than they are or than the window. */
const beyond = (page: Page) =>
  page.evaluate(
    (name) =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter((one) => one.children.length === 0 && one.textContent.includes(name))
        .filter((one) => !one.closest('.truncate, .sr-only'))
        .filter(
          (one) =>
            one.getBoundingClientRect().right > window.innerWidth || one.scrollWidth > one.clientWidth + 1,
        )
        .map((one) => one.outerHTML.slice(0, 120)),
    long,
  )

journeys(
  'mount points of any length on a phone',
  (given) => {
    test('[M 3.6] what is full first, the page of its guest, and the charts of the file system keep their width', async () => {
      const { page } = await given.open({ path: '/proxmox/changes', ...phone })
      const first = page.getByRole('region', { name: 'Full first' })
      await shows(first)
      expect(await beyond(page)).toEqual([])
      await expectNoSideways(page)

      await first.getByRole('link').first().click()
      await shows(page.getByRole('main'))
      const history = page.getByRole('button', { name: new RegExp(`^History of file system /srv/${long}`) })
      await history.waitFor()
      expect(await beyond(page)).toEqual([])
      await expectNoSideways(page)

      await history.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('figure').first().waitFor()
      expect(await beyond(page)).toEqual([])
      await expectNoSideways(page)
    })
  },
  { past, lab: { guests: 6, nodes: 1, loadPeriodMs: 10_000 } },
)

const shows = (part: Locator) =>
  part
    .getByText(new RegExp(long))
    .first()
    .waitFor({ timeout: within(forecastMs) })
