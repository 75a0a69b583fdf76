import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entry, refusedAnswer, refusedSocket } from '../entry.ts'
import type { Given } from '../journey.ts'
import { expectText } from '../overview.ts'
import { securityPage, securityPath } from '../security-page.ts'
import { addPerson } from './people.ts'

const reloadMs = 2_000

export function password(given: Given): void {
  describe('the password', () => {
    test('[spec 2 §8] is changed with each message of its own, then the page asks to sign in', async () => {
      const person = await addPerson(given, 'pia', 'viewer')
      const visit = await given.open({ as: person, path: securityPath })
      visit.expects(refusedAnswer)
      visit.expects(refusedSocket)
      const { page } = visit
      const security = securityPage(page)
      await security.title.waitFor()
      await page.getByRole('button', { name: 'Change password' }).click()
      const dialog = security.dialog('Change password')
      const problem = dialog.getByRole('alert')
      const fill = async (current: string, next: string, again: string) => {
        await dialog.getByLabel('Current password').fill(current)
        await dialog.getByLabel('New password', { exact: true }).fill(next)
        await dialog.getByLabel('Confirm new password').fill(again)
      }
      const submit = dialog.getByRole('button', { name: 'Change password' })
      const enter = async (current: string, next: string, again: string) => {
        await fill(current, next, again)
        await submit.click()
      }
      await enter('', '', '')
      await expectText(problem).toBe('All fields are required')
      await enter(person.password, 'one password', 'another password')
      await expectText(problem).toBe('New passwords do not match')
      await enter(person.password, 'short', 'short')
      await expectText(problem).toBe('Password must be at least 8 characters')
      await enter('not this one', 'a newer password', 'a newer password')
      await expectText(problem).toBe('Current password is incorrect')

      await fill(person.password, 'a newer password', 'a newer password')
      // Both waits start before the click: the page reloads two seconds after it.
      const toast = security
        .toast('Password changed successfully. Please log in with your new password.')
        .waitFor()
      const reloaded = page.waitForEvent('load')
      const from = Date.now()
      await submit.click()
      await Promise.all([toast, reloaded])
      expect(Date.now() - from).toBeGreaterThanOrEqual(reloadMs)

      const door = entry(page)
      await door.title.waitFor()
      await door.signIn(person)
      await expectText(door.message).toBe('Invalid username or password. (4 attempt(s) remaining)')
      await door.signIn({ ...person, password: 'a newer password' })
      await securityPage(page).title.waitFor()
    })

    test('[spec 2 §4] is rotated: the new credentials are shown once, and this page stays signed in', async () => {
      const person = await addPerson(given, 'ruth', 'admin')
      const elsewhere = await given.open({ as: person })
      elsewhere.expects(refusedAnswer)
      const visit = await given.open({ as: person, path: securityPath })
      visit.expects(refusedSocket)
      visit.expects(refusedAnswer)
      const { page } = visit
      const security = securityPage(page)
      await security.ready()
      await page.getByRole('button', { name: 'Rotate credentials' }).click()
      const dialog = security.dialog('Rotate credentials')
      await dialog.getByText('All API tokens made here are replaced by one new token.').waitFor()
      await dialog.getByRole('button', { name: 'Rotate credentials' }).click()
      await dialog.getByRole('heading', { name: 'Save your credentials' }).waitFor()
      const shown = (label: string) => dialog.getByLabel(label, { exact: true }).inputValue()
      const credentials = { username: await shown('Username'), password: await shown('Password') }
      const apiToken = await shown('API token')
      expect(credentials.username).toBe('ruth')
      await entry(elsewhere.page).title.waitFor()

      // The password stays visible after the old session ends, after Escape, and after a press outside the dialog.
      await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      expect(await shown('Password')).toBe(credentials.password)
      const loaded = page.waitForEvent('load')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await loaded
      await entry(page).user('ruth').waitFor()
      await security.title.waitFor()
      await expectGone(page, credentials.password)

      await entry(elsewhere.page).signIn(person)
      await expectText(entry(elsewhere.page).message).toMatch(/^Invalid username or password\./)
      await entry(elsewhere.page).signIn(credentials)
      await entry(elsewhere.page).user('ruth').waitFor()
      const headers = { 'X-API-Token': apiToken }
      expect((await fetch(`${given.estate.url}/api/state`, { headers })).status).toBe(200)
    })
  })
}

/** The page and its storage no longer contain the secret. */
async function expectGone(page: Page, secret: string) {
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(secret)
  expect(await page.content()).not.toContain(secret)
}
