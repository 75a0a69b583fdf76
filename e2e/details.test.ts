import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways } from './screens.ts'

journeys('the table and what its rows open to', (given) => {
  test('[M 3.1] a row shows the past of its guest: the last hour, a day, and the same figures as a table', async () => {
    const { page } = await given.open({ width: 380, height: 2_400, dark: true })
    const view = overview(page)
    await view.ready()
    await view.guests.locator('[data-row^=guest][data-row$=":100"]').click()
    const details = view.details(100)
    const slider = details.getByRole('figure', { name: 'CPU' }).getByRole('slider')
    // until the server has taken its first samples
    await slider.waitFor({ timeout: within(60_000) })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/:\d\d.*, CPU /)
    await expectNoSideways(page)

    await details.getByRole('radio', { name: '24 h' }).click()
    const figure = details.locator('figure[aria-label="CPU"][aria-busy="false"]')
    await figure.waitFor()
    const last = /^CPU: last ([\d.]+%), /.exec((await figure.locator('figcaption').textContent())!)![1]!
    await details.getByRole('button', { name: 'Show as table' }).click()
    const table = details.getByRole('table')
    await expect.poll(() => table.getByRole('columnheader').allInnerTexts()).toContain('CPU')
    const figures = await table
      .getByRole('row')
      .filter({ has: page.getByText('%') })
      .first()
      .innerText()
    expect(figures).toContain(last)
    await expectNoSideways(page)
  })

  test('[M 3.1] a zoom with the pointer is one of all charts of the guest', async () => {
    const { page } = await given.open({ width: 1440, height: 1_400 })
    const view = overview(page)
    await view.ready()
    await view.guest(100).click()
    const details = view.details(100)
    const plot = details.getByRole('figure', { name: 'CPU' }).locator('.u-over')
    await plot.waitFor({ timeout: within(60_000) })
    const captions = () => details.locator('figcaption').allTextContents()
    const spans = async () => new Set((await captions()).map((text) => / From .*? to .*?\./.exec(text)![0]))
    const [whole] = await spans()
    const { x, y, width, height } = (await plot.boundingBox())!
    // the estate has run for minutes only
    await page.mouse.move(x + width * 0.7, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 })
    await page.mouse.up()
    const back = details.getByRole('button', { name: 'Back to 1 h' })
    await back.waitFor()
    const zoomed = await spans()
    expect([zoomed.size, zoomed.has(whole!)]).toEqual([1, false])
    await back.click()
    await back.waitFor({ state: 'detached' })
    await slidersShown(details)
  })

  test.each([
    { width: 1440, height: 900 },
    { width: 380, height: 800 },
  ])('its head stays under the pointer when the filters open and close, at $width px', async (screen) => {
    const { page } = await given.open(screen)
    const view = overview(page)
    await view.ready()
    for (const scrolled of [0, 120]) {
      await page.evaluate((top) => scrollTo(0, top), scrolled)
      const before = await topOf(view.guests)
      await view.filters.click()
      await view.search.waitFor()
      expect(await topOf(view.guests), `opened after ${scrolled} px`).toBeCloseTo(before, 0)
      await view.filters.click()
      await view.search.waitFor({ state: 'hidden' })
      expect(await topOf(view.guests), `closed after ${scrolled} px`).toBeCloseTo(before, 0)
    }
  })
})

const slidersShown = (details: Locator) => details.getByRole('slider').first().waitFor()
const topOf = async (element: Locator) => (await element.boundingBox())!.y
