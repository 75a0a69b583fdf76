import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways } from './screens.ts'

journeys('the table and what its rows open to', (given) => {
  test('a row draws the figures that come in while it is open', async () => {
    const { page } = await given.open({ width: 380, height: 1_400, dark: true })
    const view = overview(page)
    await view.ready()
    await view.guests.locator('[data-row^=guest][data-row$=":100"]').click()
    const chart = view.details(100).getByRole('figure')
    await chart.waitFor()
    const height = await heightOf(chart)
    const slider = chart.getByRole('slider')
    await slider.waitFor()
    expect(await heightOf(chart)).toBe(height)
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/, CPU \d+\.\d%, Memory \d+\.\d%$/)
    await expectNoSideways(page)
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

const heightOf = async (element: Locator) => (await element.boundingBox())!.height
const topOf = async (element: Locator) => (await element.boundingBox())!.y
