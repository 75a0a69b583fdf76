import { describe, expect, test } from 'vitest'
import { examine } from '../examine.ts'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'
import { screens } from '../screens.ts'

export function accessibility(given: Given): void {
  describe('everyone can use it', () => {
    test('forced colours keep bars and dots: they are drawn with what is left', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      await page.emulateMedia({ forcedColors: 'active' })
      const drawn = await page.evaluate(() => {
        const style = (selector: string) => getComputedStyle(document.querySelector(selector)!)
        return {
          canvas: getComputedStyle(document.body).backgroundColor,
          bar: style('.usage-bar').backgroundImage,
          track: style('.usage-bar').borderTopWidth,
          dot: style('.status-dot').borderTopWidth,
        }
      })
      expect(drawn.bar).toContain('gradient')
      expect(drawn.bar).not.toContain(drawn.canvas)
      expect([drawn.track, drawn.dot]).toEqual(['1px', expect.stringMatching(/^[1-9]/)])
    })

    describe.each(screens)('$title', (screen) => {
      test('[spec 1 §2] axe finds nothing: loaded, opened, filtered, empty', async () => {
        const { page } = await given.open(screen)
        const view = overview(page)
        await view.ready()
        expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(
          screen.dark,
        )
        await examine(page, `${screen.title}-loaded`)
        await page.getByRole('button', { name: 'Details of web01' }).click()
        await page.getByRole('button', { name: 'Details of old-wiki' }).click()
        await view.details(105).waitFor()
        await examine(page, `${screen.title}-opened`)
        await view.showFilters()
        await page.getByRole('button', { name: 'Search tips' }).click()
        await page.getByRole('dialog', { name: 'Search tips' }).waitFor()
        await examine(page, `${screen.title}-tips`)
        await page.keyboard.press('Escape')
        await view.node('pve2').click({ position: { x: screen.width / 2, y: 15 } })
        await view.toggle('Status', 'Running').click()
        await examine(page, `${screen.title}-filters`)
        await view.search.fill('no such guest')
        await page.getByRole('heading', { name: 'No guests found' }).waitFor()
        await examine(page, `${screen.title}-none-found`)
      })

      test('[spec 1 §2] axe finds nothing: before there is data', async () => {
        const { page } = await given.open({
          ...screen,
          prepare: ({ page }) =>
            page.routeWebSocket('**/ws', () => {
              // never answers
            }),
        })
        await page.getByText('Loading dashboard data').waitFor()
        await examine(page, `${screen.title}-loading`)
        const lost = await given.open({
          ...screen,
          prepare: ({ page }) => page.routeWebSocket('**/ws', (socket) => void socket.close()),
        })
        await lost.page.getByRole('heading', { name: 'Connection lost' }).waitFor()
        await examine(lost.page, `${screen.title}-lost`)
      })
    })
  })
}
