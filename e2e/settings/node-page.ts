import type { Locator, Page } from 'playwright-core'
import { settingsPage } from './settings-page.ts'

/** Settings → Proxmox VE nodes, Backup Server or Mail Gateway. */
export function nodePage(page: Page) {
  const settings = settingsPage(page)
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  return {
    ...settings,
    card,
    /** the text beside the name */
    status: (name: string, text: string) => card(name).getByRole('heading').getByText(text, { exact: true }),
    add: page.getByRole('button', { name: 'Add node', exact: true }),
    button: (what: 'Test connection to' | 'Edit' | 'Delete', name: string) =>
      page.getByRole('button', { name: `${what} ${name}`, exact: true }),
    form: (title: string) => nodeForm(settings.dialog(title)),
  }
}

/** The dialog that adds or edits one. */
function nodeForm(dialog: Locator) {
  // credential kinds have the same names as their fields
  const field = (label: string) =>
    dialog.getByLabel(label, { exact: true }).and(dialog.locator('input:not([type=radio]), textarea'))
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  return {
    dialog,
    field,
    flag: (label: string) => dialog.getByRole('checkbox', { name: label, exact: true }),
    button,
    /** the result of a test */
    says: (text: string) => dialog.getByText(text, { exact: true }),
    async enter(values: Record<string, string>) {
      for (const [label, text] of Object.entries(values)) {
        await field(label).fill(text)
      }
    },
    /** Enters the second step of a new node manually. */
    async goOn(host: string) {
      await field('Host URL').fill(host)
      await button('Continue').click()
      const byHand = dialog.getByRole('radio', { name: 'Manual', exact: true })
      await button('Test connection').or(byHand).first().waitFor()
      if (await byHand.isVisible()) await byHand.click()
    },
    test: () => button('Test connection').click(),
    async submit(name: 'Add node' | 'Update node') {
      await button(name).click()
      await dialog.waitFor({ state: 'detached' })
    },
  }
}
