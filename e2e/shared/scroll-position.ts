import { expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'

export function scrollPosition(given: Given): void {
  test('Back restores the scroll position of the Overview; the settings open at the top', async () => {
    const { page } = await given.open({ height: 400 })
    await overview(page).ready()
    const top = () => page.evaluate(() => Math.round(scrollY))
    await page.evaluate(() => scrollTo(0, 150))
    await page.getByRole('link', { name: 'Settings' }).evaluate((link) => (link as HTMLElement).click())
    await page.getByRole('heading', { level: 1, name: 'Proxmox VE' }).waitFor()
    expect(await top()).toBe(0)
    await page.goBack()
    await overview(page).ready()
    await page.waitForFunction(() => Math.round(scrollY) === 150)
  })
}
