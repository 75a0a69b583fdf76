import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'
import { settingsPage } from './settings-page.ts'

const mistakes = [
  ['http://guest.', 'URL appears incomplete - please enter a complete domain or IP address'],
  ['guest.example.org', 'URL must start with http:// or https://'],
  ['javascript:alert(1)', 'URL must start with http:// or https://'],
  ['https://', 'URL must include a valid hostname or IP address'],
  ['https://guest./path', 'Hostname appears incomplete'],
  ['https://two words', 'Invalid URL format'],
] as const

export function guestUrls(given: Given): void {
  describe('the URL of a guest', () => {
    test('[spec 2 §5] is checked while it is typed, saved, and leads there from the Overview', async () => {
      const { name } = given.estate.lab.control.guests().find(({ vmid }) => vmid === 101)!
      const { page } = await given.open({ path: '/settings/urls', height: 3_000 })
      const settings = settingsPage(page)
      const save = page.getByRole('button', { name: 'Save changes' })
      /** Also while it says "Saving...". */
      const unsaved = page.getByRole('button', { name: 'Discard', exact: true })
      const says = (text: string) => page.getByText(text, { exact: true })
      await settings.title('Guest URLs').waitFor()
      await page.getByRole('searchbox', { name: 'Filter guests' }).fill('101')
      const field = page.getByRole('textbox', { name: `URL of ${name}`, exact: true })
      const pencil = page.getByRole('button', { name: `Edit URL of ${name}`, exact: true })
      await pencil.click()
      expect(await save.count()).toBe(0)
      for (const [text, message] of mistakes) {
        await field.fill(text)
        await says(message).waitFor()
        expect(await save.count()).toBe(0)
      }
      await field.fill('https://guest.example.org:8443/start')
      await save.click()
      await settings.toast('Guest URLs saved').waitFor()
      await unsaved.waitFor({ state: 'detached' })

      await settings.proxmox.click()
      const link = overview(page).guest(101).getByRole('link', { name: name!, exact: true })
      await link.waitFor()
      expect(await link.getAttribute('href')).toBe('https://guest.example.org:8443/start')
      expect(await link.getAttribute('rel')).toContain('noopener')

      await settings.tab.click()
      await settings.section('Guest URLs').click()
      await pencil.click()
      await field.fill('')
      await save.click()
      await unsaved.waitFor({ state: 'detached' })
      await settings.proxmox.click()
      await overview(page).guest(101).waitFor()
      expect(await link.count()).toBe(0)
    })

    test('[spec 2 §4] that was not saved is not lost by a wrong step', async () => {
      const { name } = given.estate.lab.control.guests().find(({ vmid }) => vmid === 102)!
      const { page } = await given.open({ path: '/settings/urls', height: 3_000 })
      const settings = settingsPage(page)
      const field = page.getByRole('textbox', { name: `URL of ${name}`, exact: true })
      const pencil = page.getByRole('button', { name: `Edit URL of ${name}`, exact: true })
      await pencil.click()
      await field.fill('https://guest.example.org')
      await settings.section('Security').click()
      await settings.dialog('Leave without saving?').getByRole('button', { name: 'Cancel' }).click()
      expect(await field.inputValue()).toBe('https://guest.example.org')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await pencil.waitFor()
      expect(await field.count()).toBe(0)
      await settings.section('Security').click()
      await settings.title('Security').waitFor()
    })
  })
}
