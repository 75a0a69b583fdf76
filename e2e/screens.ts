import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Desktop and phone, one by day, one by night; `examine` looks at each by the other as well. */
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
