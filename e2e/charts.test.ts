import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways } from './screens.ts'

journeys(
  'charts of a guest with a past',
  (given) => {
    test('[M 3.1] a finger that moves sideways zooms all charts, and one that moves down scrolls', async () => {
      const { page } = await given.open({ width: 380, height: 2_400 })
      const view = overview(page)
      await view.ready()
      await view.guests.locator('[data-row^=guest][data-row$=":100"]').click()
      const details = view.details(100)
      const plot = details.getByRole('figure', { name: 'CPU' }).locator('.u-over')
      await plot.waitFor({ timeout: within(60_000) })
      const back = details.getByRole('button', { name: 'Back to 1 h' })
      const box = async () => (await plot.boundingBox())!
      /** When it moves no more, for which Playwright waits here: the page scrolls on after a finger, and what loads shifts it. */
      const still = async () => {
        await plot.scrollIntoViewIfNeeded()
        return box()
      }

      const before = await still()
      // again if something that loads has moved the page meanwhile
      const dragged = async () => {
        await drag(page, await still(), { from: [0.5, 0.8], to: [0.5, -0.6] })
        return (await box()).y
      }
      await expect.poll(dragged).toBeLessThan(before.y)
      expect(await back.count()).toBe(0)

      await drag(page, await still(), { from: [0.3, 0.5], to: [0.7, 0.5] })
      await back.waitFor()
      const captions = await details.locator('figcaption').allTextContents()
      expect(new Set(captions.map((text) => / From .*? to .*?\./.exec(text)![0])).size).toBe(1)
      await expectNoSideways(page)

      await details.getByRole('radio', { name: '24 h' }).click()
      await drag(page, await still(), { from: [0.3, 0.5], to: [0.7, 0.5] })
      await details.getByRole('button', { name: 'Back to 24 h' }).waitFor()
    })

    test('[M 3.1] a migration is named, and another guest is a line of the same charts', async () => {
      const { page } = await given.open({ width: 1440, height: 1_400 })
      const view = overview(page)
      await view.ready()
      await view.guest(100).click()
      const details = view.details(100)
      const events = details.getByRole('list', { name: 'Events' })
      await expect.poll(() => events.getByText(/^Moved from .* to /).count()).toBe(1)
      await details.getByRole('button', { name: 'Compare with other guests' }).click()
      const list = page.getByRole('dialog', { name: 'Compare with other guests' })
      // What loads moves the charts, and the list with them: a click would hit another place.
      await list.getByRole('checkbox').first().press('Space')
      await page.keyboard.press('Escape')
      const legend = details.getByRole('list', { name: 'Compared guests' })
      await expect.poll(() => legend.getByRole('listitem').count()).toBe(2)
    })
  },
  {
    past: {
      parts: [
        { minutesAgo: 40, minutes: 10 },
        {
          minutesAgo: 30,
          minutes: 10,
          happen: (control) => void control.migrateGuest(100, 'pve2'),
        },
      ],
    },
  },
)

interface Drag {
  /** shares of the width and height */
  from: readonly [number, number]
  to: readonly [number, number]
}

/** A finger on the page. Playwright has none that moves. */
async function drag(
  page: Page,
  box: { x: number; y: number; width: number; height: number },
  { from, to }: Drag,
): Promise<void> {
  const device = await page.context().newCDPSession(page)
  await device.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const at = (share: number) => ({
    x: box.x + box.width * (from[0] + (to[0] - from[0]) * share),
    y: box.y + box.height * (from[1] + (to[1] - from[1]) * share),
  })
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] })
  for (let step = 1; step <= 10; step++)
    await device.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step / 10)] })
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await device.detach()
}
