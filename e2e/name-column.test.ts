import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways } from './screens.ts'

const longName = 'a-rather-long-name-of-a-guest-that-no-user-would-choose'
const locked = 116 // the lab always locks this guest

journeys(
  'the name column',
  (given) => {
    test.each([380, 640, 768, 1024, 1440])(
      'at %i px lock, tags and badges are visible, or a substitute is',
      async (width) => {
        const { page } = await given.open({ width, height: 2_000, stored: { dashboardGroupingMode: 'flat' } })
        const view = overview(page)
        await view.guests.getByRole('gridcell').first().waitFor()
        await page.getByText(longName, { exact: true }).waitFor()
        await expect.poll(() => misplaced(page)).toEqual([])
        const { lines, cut } = await counted(page)
        expect(lines).toBeGreaterThan(5)
        if (width === 640) expect(cut).toBeGreaterThan(0)
        await expectNoSideways(page)
      },
    )

    test('the tooltip of the substitute lists them', async () => {
      const { page } = await given.open({
        width: 640,
        height: 2_000,
        stored: { dashboardGroupingMode: 'flat' },
      })
      const line = page.locator('[data-cut]').filter({ hasText: longName })
      await line.waitFor()
      await line.locator('[data-substitute]').hover()
      await expect
        .poll(() => page.getByRole('tooltip').innerText())
        .toBe('Locked: backup\nTags: production, web, öffentlich, kunde')
    })
  },
  {
    prepare: ({ lab }) =>
      void lab.control.patchGuest(locked, {
        name: longName,
        lock: 'backup',
        tags: 'production;web;öffentlich;kunde',
      }),
  },
)

/** Partly hidden extras without a substitute, and lines that overflow their cell or overlap each other. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-extras]')].flatMap((extras) => {
      const line = extras.parentElement!
      const cell = line.closest<HTMLElement>('[role=gridcell]')!.getBoundingClientRect()
      const name = line.firstElementChild!.getBoundingClientRect()
      const box = extras.getBoundingClientRect()
      const substitute = line.querySelector<HTMLElement>('[data-substitute]')
      // On a phone, the badges of a node have no substitute, because there is no pointer to hover.
      if (!substitute) return innerWidth < 640 ? [] : [`has nothing to stand for it: ${line.textContent}`]
      const shown = substitute.getBoundingClientRect()
      const isHidden = [...extras.children].some((extra) => extra.getBoundingClientRect().top >= box.bottom)
      const found: string[] = []
      if (isHidden && shown.width === 0) found.push(`nothing stands for what is hidden: ${line.textContent}`)
      if (!isHidden && shown.width > 0) found.push(`something stands for what is shown: ${line.textContent}`)
      if (name.right > box.left + 1) found.push(`the name lies over the extras: ${line.textContent}`)
      if (shown.width > 0 && shown.right > cell.right + 1) found.push(`beyond the cell: ${line.textContent}`)
      return found
    }),
  )
}

const counted = (page: Page) =>
  page.evaluate(() => ({
    lines: document.querySelectorAll('[data-extras]').length,
    cut: document.querySelectorAll('[data-cut]').length,
  }))
