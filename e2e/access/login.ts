import { describe, expect, test } from 'vitest'
import { entry, refusedAnswer, refusedSocket } from '../entry.ts'
import { account } from '../estate.ts'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { securityPage, securityPath } from '../security-page.ts'

export function login(given: Given): void {
  describe('signing in', () => {
    test('[spec 1 §8] wrong passwords count down to a lock; where it is lifted, the way leads on to the page asked for', async () => {
      const visit = await given.open({
        signedOut: true,
        path: `${securityPath}?from=mail#tokens`,
        headers: { 'X-Forwarded-For': '192.0.2.7' },
      })
      visit.expects(refusedAnswer)
      const { page } = visit
      const door = entry(page)
      await door.title.waitFor()
      expect(await page.title()).toBe('Sign in · Pulse')
      expect(await page.getByRole('banner').count()).toBe(0)

      const wrong = { ...account, password: 'not this one' }
      for (const remaining of [4, 3, 2, 1]) {
        await door.signIn(wrong)
        await expectText(door.message).toBe(
          `Invalid username or password. (${remaining} attempt(s) remaining)`,
        )
        expect(await door.password.inputValue()).toBe('')
        expect(await door.username.inputValue()).toBe(account.username)
      }
      await door.signIn(wrong)
      await expectText(door.message).toBe('Invalid username or password. Account is now locked.')
      await door.signIn(account)
      await expectText(door.message).toMatch(
        /^Account locked\. Please try again in 15 minute\(s\)\.\s+Lockouts expire automatically\.$/,
      )
      expect(await door.message.getAttribute('data-look')).toBe('locked')

      // The owner, at another address, is not locked out.
      expect(await given.estate.signIn()).toHaveLength(2)

      await given.estate.call('POST', '/api/security/reset-lockout', { identifier: account.username })
      await door.signIn(account)
      await securityPage(page).title.waitFor()
      expect(page.url()).toBe(`${given.estate.url}${securityPath}?from=mail#tokens`)
      await door.user(account.username).waitFor()
    })

    test('[spec 1 §4] logging out forgets what the browser kept, except for the theme', async () => {
      const visit = await given.open({ stored: { darkMode: 'true', dashboardGroupingMode: 'flat' } })
      visit.expects(refusedAnswer)
      // a page with a cookie opens the socket before it learns that the session has ended
      visit.expects(refusedSocket)
      const { page } = visit
      const door = entry(page)
      await overview(page).ready()
      await page.evaluate(() => sessionStorage.setItem('draft', 'text'))
      const cookies = await page.context().cookies()
      expect(cookies.map(({ name }) => name).toSorted()).toEqual(['pulse_csrf', 'pulse_session'])

      await door.logout.click()
      await door.title.waitFor()
      expect(page.url()).toBe(`${given.estate.url}/`)
      expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ darkMode: 'true' })
      expect(await page.evaluate(() => sessionStorage.getItem('draft'))).toBeNull()
      expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)

      // The server has ended the session too; the page has not only forgotten it.
      await page.context().addCookies(cookies)
      await page.reload()
      await door.title.waitFor()
      await door.signIn(account)
      await overview(page).ready()
    })

    test('[spec 1 §4] who has just logged out sees the login once, whatever session there is', async () => {
      const visit = await given.open({ stored: { darkMode: 'false', just_logged_out: 'true' } })
      const { page } = visit
      await entry(page).title.waitFor()
      expect(await page.evaluate(() => localStorage.getItem('just_logged_out'))).toBeNull()
      await page.reload()
      await overview(page).ready()
    })
  })
}
