import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { within } from '../scripts/test-limits.ts'

/** Pixels that trends have drawn behind the element. */
export async function inkIn(page: Page, element: Locator): Promise<number> {
  const box = (await element.boundingBox())!
  return page.evaluate(({ x, y, width, height }) => {
    let ink = 0
    for (const canvas of document.querySelectorAll('canvas')) {
      const own = canvas.getBoundingClientRect()
      if (own.width === 0 || own.height === 0) continue
      const ratio = canvas.width / own.width
      const { data } = canvas
        .getContext('2d')!
        .getImageData((x - own.left) * ratio, (y - own.top) * ratio, width * ratio, height * ratio)
      for (let at = 3; at < data.length; at += 4) if (data[at]! > 0) ink++
    }
    return ink
  }, box)
}

export const expectInk = (page: Page, element: Locator) =>
  expect.poll(() => inkIn(page, element), { timeout: within(90_000), interval: 100 })
