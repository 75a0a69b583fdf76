import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'

journeys('while the server is away', (given) => {
  test('the bar says in full what it is for, at any width', async () => {
    const visit = await given.open({ path: '/proxmox/backups' })
    visit.expects(/WebSocket|Failed to load resource/)
    const { page } = visit
    await page.getByRole('gridcell').first().waitFor()
    await given.estate.stopServer()
    await page.getByRole('button', { name: 'Reconnect now' }).waitFor({ timeout: within(30_000) })
    for (const width of [380, 640, 820, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => cutTexts(page), { message: `at ${width} px` }).toEqual([])
    }
    await given.estate.startServer()
  })

  test('on a wide screen the bar is as high as the line that it stands in: no row moves', async () => {
    const visit = await given.open({ path: '/proxmox/overview', width: 1440 })
    visit.expects(/WebSocket|Failed to load resource/)
    const { page } = visit
    await page.getByRole('gridcell').first().waitFor()
    await given.estate.stopServer()
    const bar = page.getByRole('button', { name: 'Reconnect now' }).locator('xpath=..')
    await bar.waitFor({ timeout: within(30_000) })
    for (const width of [820, 1100, 1280, 1440, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(() => bar.evaluate(({ clientHeight }) => clientHeight), { message: `at ${width} px` })
        .toBe(32)
      const cut = () => bar.locator('span').evaluateAll(cutOf)
      await expect.poll(cut, { message: `at ${width} px` }).toEqual([])
    }
    await given.estate.startServer()
  })
})

/** Texts that end in an ellipsis. */
const cutOf = (spans: Element[]) =>
  spans
    .filter((span) => span.scrollWidth > span.clientWidth + 1 && span.children.length === 0)
    .map((span) => span.textContent)

/** Parts of the notice that are cut off. */
const cutTexts = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: 'Unable to connect to the backend server. Attempting to reconnect...' })
    .locator('span')
    .evaluateAll((spans) =>
      spans.filter((span) => span.scrollWidth > span.clientWidth + 1).map((span) => span.textContent),
    )
