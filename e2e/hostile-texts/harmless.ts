import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Elements that only injected markup can create. */
const foreign =
  'img, iframe, object, embed, video, marquee, math, base, main form[action], body style, body link, body meta, script:not([src^="/"]), [onload], [onerror], [onfocus], [ontoggle], [onmouseover], a[href^="javascript:" i], a[href^="data:" i], a[href*="elsewhere"]'

/** No text was interpreted as markup or script, and the page was not left. */
export async function expectHarmless(page: Page, origin: string): Promise<void> {
  expect(await page.locator(foreign).count()).toBe(0)
  expect(new URL(page.url()).origin).toBe(origin)
}
