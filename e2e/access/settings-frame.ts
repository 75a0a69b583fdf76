import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectNoSideways } from '../screens.ts'
import { securityPage, securityPath } from '../security-page.ts'

export function settingsFrame(given: Given): void {
  describe('the settings', () => {
    test.each(['/settings', '/settings/', '/settings/none-such', '/settings/nodes'])(
      '[spec 2 §2] %s shows the Proxmox VE nodes',
      async (path) => {
        const { page } = await given.open({ path })
        await page.getByRole('heading', { name: 'Proxmox VE nodes', level: 1 }).waitFor()
        expect(new URL(page.url()).pathname).toBe('/settings/pve')
      },
    )

    test.each(['/settings?tab=security', securityPath])('[spec 2 §2] %s shows Security', async (path) => {
      const { page } = await given.open({ path })
      const security = securityPage(page)
      await security.title.waitFor()
      await page
        .getByText('Sign-in, API tokens, single sign-on, users and the audit log.', { exact: true })
        .waitFor()
      expect(new URL(page.url()).pathname).toBe(securityPath)
      expect(await page.title()).toBe('Settings · Pulse')
      expect(await security.tab.getAttribute('aria-current')).toBe('page')
    })

    test('[spec 2 §2] the sidebar collapses to icons, and stays so over a reload', async () => {
      const { page } = await given.open({ path: securityPath })
      const sidebar = page.getByRole('navigation', { name: 'Settings' }).filter({ visible: true })
      const width = async () => (await sidebar.locator('..').boundingBox())!.width
      const collapse = page.getByRole('button', { name: 'Collapse sidebar' })
      const expand = page.getByRole('button', { name: 'Expand sidebar' })
      await collapse.waitFor()
      expect(await width()).toBe(72 * 4)
      await collapse.click()
      await expand.waitFor()
      expect(await width()).toBe(16 * 4)
      await page.reload()
      await expand.waitFor()
      expect(await width()).toBe(16 * 4)
      const link = sidebar.getByRole('link', { name: 'Security' })
      expect(await link.getAttribute('aria-current')).toBe('page')
      await expand.click()
      await collapse.waitFor()
    })

    test('[spec 2 §2] on a phone the sections are a strip of tabs', async () => {
      const { page } = await given.open({ path: securityPath, width: 380, height: 800 })
      const security = securityPage(page)
      await security.ready()
      const strip = page.getByRole('navigation', { name: 'Settings' }).filter({ visible: true })
      expect(await strip.getByRole('link').allInnerTexts()).toContain('Security')
      // 24 px of either edge fade
      const [frame, open] = await Promise.all([
        strip.boundingBox(),
        strip.getByRole('link', { name: 'Security' }).boundingBox(),
      ])
      expect(open!.x).toBeGreaterThanOrEqual(frame!.x + 24)
      expect(open!.x + open!.width).toBeLessThanOrEqual(frame!.x + frame!.width - 24)
      expect(await page.getByRole('button', { name: 'Collapse sidebar' }).count()).toBe(0)
      await expectNoSideways(page)
    })
  })
}
