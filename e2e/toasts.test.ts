import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { screens } from './screens.ts'

journeys(
  'messages',
  (given) => {
    /** Shows a toast that stays open because the pointer rests on it. */
    const showOne = async (page: Page) => {
      await page.getByRole('switch', { name: 'Alerts of all: Mail Gateways', exact: true }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      const message = page.locator('[data-toast]').filter({ hasText: 'Changes discarded' })
      await message.hover()
      await expect.poll(() => message.evaluate((one) => one.getAnimations().length)).toBe(0)
      return message
    }
    /** Rows are measured when they become visible, so the end of the page moves until all rows have been rendered. */
    const scrollToEnd = async (page: Page) => {
      const step = () =>
        page.evaluate(async () => {
          const before = scrollY
          scrollTo(0, document.documentElement.scrollHeight)
          const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
          await frame()
          await frame()
          return scrollY - before
        })
      await expect.poll(step).toBe(0)
    }
    const open = async (screen: Partial<(typeof screens)[number]>) => {
      await given.estate.call('POST', '/api/alerts/activate')
      const { page } = await given.open({ path: '/alerts/thresholds/mail-gateway', ...screen, height: 480 })
      await page.getByRole('button', { name: /^Why: / }).waitFor()
      return page
    }

    for (const { title, ...screen } of screens) {
      test(`none covers the last row's buttons at the end of the page (${title})`, async () => {
        const page = await open(screen)
        const message = await showOne(page)
        await scrollToEnd(page)
        const covered = await page.evaluate(() => {
          const over = document.querySelector('[data-toast]')!.getBoundingClientRect()
          const inMain = document.querySelectorAll('#content button, #content a')
          return [...inMain].flatMap((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect()
            const meets = left < over.right && right > over.left && top < over.bottom && bottom > over.top
            return meets ? [one.getAttribute('aria-label') ?? one.textContent] : []
          })
        })
        expect(covered).toEqual([])
        const end = await page.evaluate(() => scrollY)
        await message.getByRole('button', { name: 'Close message' }).click()
        await message.waitFor({ state: 'detached' })
        // the visible rows do not move; the next scroll removes the extra room
        expect(await page.evaluate(() => scrollY)).toBe(end)
        await page.evaluate(() => scrollTo(0, 0))
        const room = () => document.documentElement.style.getPropertyValue('--toast-room')
        await expect.poll(() => page.evaluate(room)).toBe('')
      })
    }

    test('[spec 3 §9] a closed one fades out in 300 ms', async () => {
      const page = await open({})
      const message = await showOne(page)
      await page.evaluate(() => {
        const log: number[] = []
        Object.assign(window, { fades: log })
        document.addEventListener('transitionrun', ({ propertyName, target }) => {
          if (propertyName !== 'opacity' || !(target instanceof HTMLElement) || !target.dataset['toast'])
            return
          const [fade] = target.getAnimations()
          log.push(Number(fade!.effect!.getComputedTiming().duration))
        })
      })
      await message.getByRole('button', { name: 'Close message' }).click()
      await message.waitFor({ state: 'detached' })
      expect(await page.evaluate(() => (window as unknown as { fades: number[] }).fades)).toEqual([300])
    })
  },
  { lab: { pmg: 1 } },
)
