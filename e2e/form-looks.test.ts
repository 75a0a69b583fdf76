import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { settingsPage } from './settings/settings-page.ts'

const MOST = 720

const widths = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('region')
    .filter({ visible: true })
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))

journeys(
  'forms of the settings',
  (given) => {
    test.each([
      { path: '/settings/system', panel: 'Version and updates' },
      { path: '/settings/security', panel: 'Security posture' },
      { path: '/settings/security#single-sign-on', panel: 'Single sign-on' },
    ])('are at most 720 px wide, however wide the screen is ($path)', async ({ path, panel }) => {
      const { page } = await given.open({ path, width: 1920, height: 1_000 })
      await settingsPage(page).panel(panel).waitFor()
      await settingsPage(page).ready()
      const found = await widths(page)
      expect(found.length).toBeGreaterThan(0)
      expect(Math.max(...found)).toBeLessThanOrEqual(MOST)
    })

    test.each([{ dark: false }, { dark: true }])(
      'what opens and closes, times and choices look as the theme has it (dark: $dark)',
      async ({ dark }) => {
        const { page } = await given.open({ path: '/settings/docker', dark })
        const summary = page.locator('summary').first()
        await summary.waitFor()
        const marker = await summary.evaluate((one) => ({
          list: getComputedStyle(one).listStyleType,
          icons: one.querySelectorAll('svg').length,
        }))
        expect(marker).toEqual({ list: 'none', icons: 1 })

        await settingsPage(page).section('System').click()
        const time = page.getByLabel('Daily check time')
        await time.waitFor()
        expect(await time.evaluate((one) => getComputedStyle(one).colorScheme)).toBe(dark ? 'dark' : 'light')
      },
    )

    test('what can be done with a host stays in sight where its table scrolls sideways', async () => {
      await given.estate.call('POST', '/api/agents/docker/report', {
        agent: { id: 'dock1', version: '5.1.0', intervalSeconds: 30 },
        host: { hostname: 'dock1', name: 'dock1', os: 'Debian GNU/Linux 12 (bookworm)', totalCpu: 4 },
        containers: [],
        timestamp: new Date().toISOString(),
      })
      const { page } = await given.open({ path: '/settings/docker', width: 820 })
      const remove = page.getByRole('button', { name: /^Remove/ }).first()
      await remove.waitFor()
      const { right, onTop } = await remove.evaluate((one) => {
        const box = one.getBoundingClientRect()
        const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        return { right: box.right, onTop: found !== null && one.contains(found) }
      })
      expect(right).toBeLessThanOrEqual(820)
      expect(onTop).toBe(true)
    })
  },
  { connected: false },
)
