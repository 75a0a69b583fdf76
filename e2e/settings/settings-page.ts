import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The frame of the settings, and the elements that all sections share. */
export function settingsPage(page: Page) {
  const panel = (title: string) => page.getByRole('region', { name: title, exact: true })
  return {
    /** the link to the settings on every page */
    tab: page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }),
    proxmox: page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Proxmox', exact: true }),
    title: (name: string) => page.getByRole('heading', { name, exact: true, level: 1 }),
    section: (name: string) =>
      page
        .getByRole('navigation', { name: 'Settings' })
        .filter({ visible: true })
        .getByRole('link', { name, exact: true }),
    panel,
    dialog: (name: string) => page.getByRole('dialog', { name, exact: true }),
    toast: (text: string) =>
      page.locator('[data-toast]').filter({ has: page.getByText(text, { exact: true }) }),
    async ready() {
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    },
  }
}
