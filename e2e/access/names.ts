import { describe, expect, test } from 'vitest'
import { entry } from '../entry.ts'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'
import { securityPage, securityPath } from '../security-page.ts'
import { addPerson } from './people.ts'

const attack = '<img src=x onerror=alert(1)>'
export function names(given: Given): void {
  describe('names that people choose', () => {
    test('[S14] with markup are shown as text: nothing runs, nothing is loaded', async () => {
      const name = attack
      const person = await addPerson(given, name, 'admin')
      await given.estate.call('POST', '/api/security/tokens', { name })
      const { page } = await given.open({ as: person })
      await overview(page).ready()
      await entry(page).user(name).waitFor()
      const security = securityPage(page)
      await security.tab.click()
      await page.getByRole('link', { name: 'Security', exact: true }).first().click()
      await security.open('Users')
      await security.user(name).waitFor()
      await security.open('Audit log')
      await page
        .getByRole('table', { name: 'Audit log' })
        .getByRole('cell', { name, exact: true })
        .first()
        .waitFor()

      await security.open('API tokens')
      await security.token(name).waitFor()
      await page.getByRole('button', { name: `Revoke ${name}` }).click()
      await security.dialog('Revoke API token').getByText(name, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await security.open('Overview')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText(`For ${name}`, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await entry(page).logout.hover()
      await page.getByRole('tooltip').waitFor()
      expect(await page.locator('img').count()).toBe(0)
      expect(page.url()).toBe(`${given.estate.url}${securityPath}#overview`)
    })
  })
}
