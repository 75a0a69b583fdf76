import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { smallTargets } from './targets.ts'

journeys(
  'rows under a finger',
  (given) => {
    test.each([
      { width: 380, height: 800 },
      { width: 1440, height: 900 },
    ])('an expanded row and its details are not below the footer of the table: $width px', async (screen) => {
      // filtered: the footer shows the count and stays visible
      const { page } = await given.open({ ...screen, path: '/proxmox/overview?status=running' })
      const view = overview(page)
      await view.ready()
      // the row that the footer cuts off, and the one above it
      for (const above of [0, 1]) {
        const row = page.locator(`[data-row="${await lastVisibleRow(page, above)}"]`)
        await row.getByRole('button', { name: /^Details of/ }).press('Enter')
        await page.locator('[data-row^="details:"]').waitFor()
        await expect.poll(() => covered(page)).toEqual([])
        await row.getByRole('button', { name: /^Details of/ }).press('Enter')
        await page.locator('[data-row^="details:"]').waitFor({ state: 'detached' })
      }
    })

    test('details stay in view while they grow, and what a passing height has moved comes back', async () => {
      const { page } = await given.open({
        width: 1440,
        height: 900,
        path: '/proxmox/overview?status=running',
      })
      await overview(page).ready()
      const row = page.locator(`[data-row="${await lastVisibleRow(page, 0)}"]`)
      await row.getByRole('button', { name: /^Details of/ }).press('Enter')
      const details = page.locator('[data-row^="details:"]')
      await details.getByRole('figure').first().waitFor()
      await page.waitForLoadState('networkidle')
      await expect.poll(() => isSettled(page)).toBe(true)
      await expect.poll(() => covered(page)).toEqual([])
      const before = await page.evaluate(() => window.scrollY)

      await details.evaluate((own) => {
        const late = Object.assign(document.createElement('div'), { id: 'late' })
        late.style.height = '150px'
        own.firstElementChild!.append(late)
      })
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before)
      await expect.poll(() => covered(page)).toEqual([])
      await page.locator('#late').evaluate((late) => late.remove())
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
    })

    test.each(['/proxmox/overview', '/proxmox/storage', '/alerts/thresholds/proxmox'])(
      'on a phone every target is 24 px or larger: %s',
      async (path) => {
        const { page } = await given.open({ width: 380, height: 4_000, path })
        await page.getByRole('gridcell').first().waitFor()
        await expect.poll(() => smallTargets(page)).toEqual([])
      },
    )

    test('on a phone the bars are as wide as their column', async () => {
      const { page } = await given.open({ width: 380, height: 800 })
      await overview(page).ready()
      const widths = await page
        .locator('[role=row] .usage-bar')
        .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).offsetWidth))
      expect(Math.min(...widths)).toBeGreaterThan(80)
    })
  },
  { prepare: ({ call }) => call('POST', '/api/alerts/activate') as Promise<void> },
)

/** The guest row that the footer of the table cuts off, or one above it. */
const lastVisibleRow = (page: Page, above: number) =>
  page.evaluate((rows) => {
    const foot = document.querySelector('[data-foot]')!.getBoundingClientRect().top
    const shown = [...document.querySelectorAll<HTMLElement>('[data-row^="guest:"]')]
      .filter((row) => row.getBoundingClientRect().top < foot - 8)
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    return shown.at(-1 - rows)!.dataset['row']!
  }, above)

/** Whether everything in the expanded row is loaded, and what its passing heights have moved is back. */
const isSettled = (page: Page) =>
  page.evaluate(async () => {
    const details = document.querySelector<HTMLElement>('[data-row^="details:"]')!
    const state = () => `${details.offsetHeight} ${window.scrollY}`
    const before = state()
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return !details.querySelector('[role=status], [aria-busy=true]') && state() === before
  })

/** Parts of the expanded row that are hidden though there is room for them. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const foot = document.querySelector('[data-foot]')!.getBoundingClientRect().top
    const details = document.querySelector<HTMLElement>('[data-row^="details:"]')!
    const row = document.querySelector(
      `[data-row="guest:${details.dataset['row']!.slice('details:'.length)}"]`,
    )!
    const [upper, lower] = [row.getBoundingClientRect(), details.getBoundingClientRect()]
    const found: string[] = []
    if (upper.bottom > foot) found.push(`the row ends ${Math.round(upper.bottom - foot)} px below the foot`)
    if (upper.top < 0) found.push(`the row begins ${Math.round(-upper.top)} px above the window`)
    const fits = lower.bottom - upper.top < foot - 64
    if (fits && lower.bottom > foot + 0.5)
      found.push(`${Math.round(lower.bottom - foot)} px of its details are below the foot`)
    return found
  })
