import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

/** With E2E_SCREENSHOTS=1 what is examined is also photographed into e2e/out. */
const photographs = process.env['E2E_SCREENSHOTS'] === '1'
const folder = path.join(import.meta.dirname, 'out')

/** What depends on the theme; the rest reads the document, which is the same by night. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Nothing on the page as it is now keeps people from using it, by day or by night, as far as axe can tell. The page ends
 * in the theme that it began in.
 */
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
  // Of what is well, one example of each rule is enough: to describe every place takes longer than to look at it.
  axe.options({ resultTypes: ['violations'] })
  if (rules) axe.withRules([...rules])
  const { violations, passes } = await axe.analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
  )
  expect(found, name).toEqual([])
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
}

/** instead of axe, where the page has it */
const nothing = ';'

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'))

/** As another tab of this browser would. */
const choose = (page: Page, darkMode: string | null) =>
  page.evaluate((value) => {
    if (value === null) localStorage.removeItem('darkMode')
    else localStorage.setItem('darkMode', value)
    dispatchEvent(new StorageEvent('storage', { key: 'darkMode', newValue: value }))
  }, darkMode)

/** What fades in has arrived. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(passing.map(({ finished }) => finished.catch(() => {})))
  })
