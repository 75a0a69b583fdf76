import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const securityPath = '/settings/security'

/** The panels of Settings → Security. */
export function securityPage(page: Page) {
  const panel = (title: string) => page.getByRole('region', { name: title, exact: true })
  const row = (table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })
  return {
    /** the link to the settings on every page */
    tab: page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }),
    title: page.getByRole('heading', { name: 'Security', exact: true, level: 1 }),
    panel,
    token: (name: string) => row('API tokens', name),
    user: (name: string) => row('Users', name),
    dialog: (name: string) => page.getByRole('dialog', { name, exact: true }),
    toast: (text: string) => page.locator('[data-toast]').filter({ hasText: text }),
    /** Opens one of its topics. */
    async open(topic: 'Overview' | 'API tokens' | 'Single sign-on' | 'Users' | 'Audit log') {
      await page.getByRole('tab', { name: topic, exact: true }).click()
      await panel(topic === 'Overview' ? 'Security posture' : topic).waitFor()
      await expect.poll(() => page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    },
    async ready() {
      await panel('Security posture').waitFor()
      await expect.poll(() => page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    },
  }
}
