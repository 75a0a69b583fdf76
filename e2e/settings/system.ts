import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entry } from '../entry.ts'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'
import { settingsPage } from './settings-page.ts'

const reloadMs = 3_000
const wall = 'https://wall.example.org'

const isInView = (button: Locator) =>
  button.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

export function system(given: Given): void {
  describe('the system section', () => {
    test('[spec 2 §4] edits take effect at once after Save changes, and the page reloads', async () => {
      const visit = await given.open({ path: '/settings/system' })
      visit.expects(/status of 400 .*\/api\/system\/settings\/update$/)
      const { page } = visit
      const settings = settingsPage(page)
      const origins = page.getByLabel('Allowed origins (CORS)', { exact: true })
      const unsaved = page.getByText('Unsaved changes', { exact: true })
      const banner = page.getByText('You have unsaved changes', { exact: true })
      const stored = await origins.inputValue()
      expect(await unsaved.count()).toBe(0)

      await origins.fill(wall)
      await unsaved.waitFor()
      const save = page.getByRole('button', { name: 'Save changes', exact: true })
      await page.mouse.wheel(0, 5_000)
      await expect.poll(() => isInView(save)).toBe(true)
      expect(await banner.isVisible()).toBe(false)
      await page.setViewportSize({ width: 380, height: 800 })
      await banner.waitFor()
      await page.mouse.wheel(0, 5_000)
      await expect
        .poll(() => isInView(page.getByRole('button', { name: 'Save Changes', exact: true })))
        .toBe(true)
      expect(await save.isVisible()).toBe(false)
      await page.setViewportSize({ width: 1440, height: 900 })
      await settings.section('Proxmox Backup Server').click()
      await unsaved.waitFor()
      await settings.section('Security').click()
      await settings.title('Security').waitFor()
      expect(await unsaved.count()).toBe(0)
      await settings.proxmox.click()
      await settings.dialog('Leave without saving?').getByRole('button', { name: 'Cancel' }).click()
      await settings.section('System').click()
      expect(await origins.inputValue()).toBe(wall)
      await page.getByRole('button', { name: 'Discard', exact: true }).filter({ visible: true }).click()
      await unsaved.waitFor({ state: 'detached' })
      expect(await origins.inputValue()).toBe(stored)

      await origins.fill('not an origin')
      await page.getByRole('button', { name: 'Save changes', exact: true }).click()
      await expect.poll(() => origins.getAttribute('aria-invalid')).toBe('true')

      await origins.fill(wall)
      await page.getByRole('switch', { name: 'Allow embedding' }).click()
      await page.getByLabel('Allowed embed origins', { exact: true }).fill(wall)
      const framing = async () => {
        const { headers } = await fetch(given.estate.url)
        return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
      }
      expect(await framing()).toBe(`'none'`)
      const toast = settings.toast('Settings saved successfully. Reloading...').waitFor()
      const reloaded = page.waitForEvent('load')
      const from = Date.now()
      await page.getByRole('button', { name: 'Save changes', exact: true }).click()
      await toast
      const allowed = async (origin: string) => {
        const answer = await fetch(`${given.estate.url}/api/health`, { headers: { origin } })
        return answer.headers.get('access-control-allow-origin')
      }
      expect(await allowed(wall)).toBe(wall)
      expect(await allowed('https://other.example.org')).toBeNull()
      expect(await framing()).toBe(`'self' ${wall}`)
      await reloaded
      expect(Date.now() - from).toBeGreaterThanOrEqual(reloadMs - 100)
      await expect.poll(() => origins.inputValue()).toBe(wall)
      expect(await unsaved.count()).toBe(0)
    })

    test('[spec 2 §1] an administrator’s choice of dark mode applies to every open browser', async () => {
      const here = await given.open({ path: '/settings/system' })
      const there = await given.open()
      await overview(there.page).ready()
      await entry(there.page).logout.waitFor()
      const isDark = () => there.page.evaluate(() => document.documentElement.classList.contains('dark'))
      const before = await isDark()
      const choose = here.page.getByRole('switch', { name: 'Dark mode' })
      await choose.click()
      await expect.poll(isDark).toBe(!before)
      await choose.click()
      await expect.poll(isDark).toBe(before)
    })
  })
}
