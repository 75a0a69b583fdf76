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
})

const heightOf = async (element: Locator) => (await element.boundingBox())!.height
