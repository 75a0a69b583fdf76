import { expect, test } from 'vitest'
import { downloaded } from './downloaded.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { settingsPage } from './settings/settings-page.ts'

const token = 'token-of-the-prompt-journey'
const passphrase = 'a passphrase of this journey'

journeys(
  'with an API token and no session',
  (given) => {
    test('[spec 2 §8] export asks until the token is valid, and import then uses it', async () => {
      const visit = await given.open({ path: '/settings/system' })
      visit.expects(/status of 401 .*\/api\/config\/export$/)
      visit.expects(/status of 400 .*\/api\/config\/import(?:\/preview)?$/)
      const { page } = visit
      const settings = settingsPage(page)
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const dialog = settings.dialog('Export configuration')
      await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
      await dialog.getByRole('button', { name: 'Export', exact: true }).click()

      const prompt = settings.dialog('API token required')
      const field = prompt.getByLabel('API token', { exact: true })
      const go = prompt.getByRole('button', { name: 'Continue' })
      await field.waitFor()
      await go.click()
      await prompt.getByText('Please enter the API token.', { exact: true }).waitFor()
      await field.fill('not this one')
      await field.press('Enter')
      await expectText(prompt.getByRole('alert')).toBe('Invalid or expired API token. Please re-enter.')
      expect(await field.inputValue()).toBe('')

      // Escape closes the prompt and keeps the typed text behind it
      await field.press('Escape')
      await prompt.waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: 'Export', exact: true }).click()
      await field.fill(token)
      const [file] = await Promise.all([page.waitForEvent('download'), go.click()])
      expect(file.suggestedFilename()).toMatch(/^pulse-config-\d{4}-\d\d-\d\d\.json$/)
      await settings.toast('Configuration exported successfully').waitFor()

      await page.getByRole('button', { name: 'Import', exact: true }).click()
      const imported = settings.dialog('Import configuration')
      await imported.getByLabel('Backup password', { exact: true }).fill('a wrong passphrase')
      await imported.getByLabel('Configuration file').setInputFiles(await downloaded(file))
      await imported.getByRole('button', { name: /^(Import|Check)/ }).click()
      await expectText(imported.getByRole('alert')).toBe('The passphrase is wrong, or the file is damaged.')
    })
  },
  { fresh: true, connected: false, env: { DISABLE_AUTH: 'true', API_TOKENS: token } },
)
