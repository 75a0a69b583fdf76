import { describe, test } from 'vitest'
import { examine } from '../examine.ts'
import type { Given } from '../journey.ts'
import { expectNoSideways, screens } from '../screens.ts'
import { nodePage } from './node-page.ts'
import { sections } from './sections.ts'
import { settingsPage } from './settings-page.ts'
import { within } from '../../scripts/test-limits.ts'

export function settingsAccessibility(given: Given): void {
  describe('everyone can use it', () => {
    describe.each(screens)('$title', ({ title: look, ...screen }) => {
      const open = (path: string) =>
        given.open({ ...screen, path, stored: { darkMode: String(screen.dark) } })

      test.each(sections)('[spec 2 §2] axe finds nothing in $title', async ({ path, title }) => {
        const { page } = await open(path)
        await settingsPage(page).title(title).waitFor()
        if (title === 'Diagnostics') {
          await page.getByRole('button', { name: 'Run Diagnostics' }).click()
          await settingsPage(page)
            .panel('System information')
            .waitFor({ timeout: within(30_000) })
        }
        await settingsPage(page).ready()
        await examine(page, `${look}-settings-${path.split('/')[2]}`)
        await expectNoSideways(page)
      })

      test('[spec 2 §2] nor in the dialogs', async () => {
        const { page } = await open('/settings/pve')
        const nodes = nodePage(page)
        await nodes.ready()
        await nodes.add.click()
        const form = nodes.form('Add Proxmox VE node')
        await form.button('Continue').click()
        await form.says('Host is required').waitFor()
        await form.field('Host URL').fill('pve.example.org')
        await form.button('Continue').click()
        await form.button('Generate command').click()
        await form.dialog.getByRole('timer').waitFor()
        await examine(page, `${look}-settings-node-script`)
        await form.dialog.getByRole('radio', { name: 'Manual', exact: true }).click()
        await form.test()
        await form.says('Token ID and token value are required').waitFor()
        await examine(page, `${look}-settings-node`)
        await expectNoSideways(page)
        await page.keyboard.press('Escape')
        await nodes.button('Delete', given.estate.lab.clusters[0]!.name).click()
        await nodes.dialog('Remove node').waitFor()
        await examine(page, `${look}-settings-remove`)
        await page.keyboard.press('Escape')
        await page.goto(`${given.estate.url}/settings/system`)
        for (const what of ['Export', 'Import']) {
          await page.getByRole('button', { name: what, exact: true }).click()
          await nodes.dialog(`${what} configuration`).waitFor()
          await examine(page, `${look}-settings-${what.toLowerCase()}`)
          await expectNoSideways(page)
          await page.keyboard.press('Escape')
          await nodes.dialog(`${what} configuration`).waitFor({ state: 'detached' })
        }
      })
    })
  })
}
