import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

/** With E2E_SCREENSHOTS=1 what is examined is also photographed into e2e/out. */
const photographs = process.env['E2E_SCREENSHOTS'] === '1'
const folder = path.join(import.meta.dirname, 'out')

/** Nothing on the page as it is now keeps people from using it, as far as axe can tell. */
export async function examine(page: Page, name: string): Promise<void> {
  await settle(page)
  if (photographs) {
    fs.mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
  }
  const { violations, passes } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
  )
  expect(found, name).toEqual([])
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
}

/** What fades in has arrived. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(passing.map(({ finished }) => finished.catch(() => {})))
  })
