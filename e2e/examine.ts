import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

/** With E2E_SCREENSHOTS=1 each examined page is also photographed into e2e/out. */
const photographs = process.env['E2E_SCREENSHOTS'] === '1'
const folder = path.join(import.meta.dirname, 'out')

/** Rules that depend on the theme; the other rules read the document, which is the same in both themes. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Checks the page for accessibility problems with axe, in both themes. Ends in the theme in which it began. */
export async function examine(page: Page, name: string): Promise<void> {
  const chosen = await page.evaluate(() => localStorage.getItem('darkMode'))
  const dark = await isDark(page)
  await examineTheme(page, name)
  await choose(page, String(!dark))
  await expect.poll(() => isDark(page), { interval: 20 }).toBe(!dark)
  await examineTheme(page, `${name}-${dark ? 'light' : 'dark'}`, rulesOfColour)
  await choose(page, chosen)
  await expect.poll(() => isDark(page), { interval: 20 }).toBe(dark)
}

async function examineTheme(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  await settle(page)
  if (photographs) {
    fs.mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
  }
  const loaded = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(loaded && { axeSource: nothing }) }).setLegacyMode(true)
  // One example of each passed rule is enough: axe takes long to describe every passed element.
  axe.options({ resultTypes: ['violations'] })
  if (rules) axe.withRules([...rules])
  const { violations, passes } = await axe.analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
  )
  expect(found, name).toEqual([])
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
}

/** used in place of axe if the page has already loaded it */
const nothing = ';'

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'))

/** As another tab of this browser would change the theme. */
const choose = (page: Page, darkMode: string | null) =>
  page.evaluate((value) => {
    if (value === null) localStorage.removeItem('darkMode')
    else localStorage.setItem('darkMode', value)
    dispatchEvent(new StorageEvent('storage', { key: 'darkMode', newValue: value }))
  }, darkMode)

/** Waits until all transitions have ended. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(passing.map(({ finished }) => finished.catch(() => {})))
  })
