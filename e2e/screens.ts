import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Desktop and phone, one light and one dark; `examine` checks each in the other theme as well. */
export const screens = [
  { title: 'light-1440', width: 1440, height: 900, dark: false },
  { title: 'dark-380', width: 380, height: 800, dark: true },
]

export const expectNoSideways = async (page: Page) => {
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(beyond).toBe(0)
}
