import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { screens } from './screens.ts'

const tops = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => one.closest('section')!.getBoundingClientRect().top))

journeys('before the first figures', (given) => {
  test.each(screens)(
    'the Overview has its own layout: no table moves when data comes ($title)',
    async (screen) => {
      const { page } = await given.open(screen)
      await overview(page).ready()
      const answer = Promise.withResolvers<void>()
      await page.routeWebSocket('**/ws', async (socket) => {
        await answer.promise
        socket.connectToServer()
      })
      await page.reload()
      await page
        .locator('[data-skeleton]')
        .first()
        .waitFor({ timeout: within(30_000) })
      const before = await tops(page, '[data-skeleton]')
      answer.resolve()
      await overview(page).ready()
      expect(await tops(page, '[role=grid], [role=treegrid]')).toEqual(before)
    },
  )
})
