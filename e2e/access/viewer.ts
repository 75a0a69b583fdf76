import * as contract from '@pulse/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entry, refusedAnswer } from '../entry.ts'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { securityPage } from '../security-page.ts'
import { addPerson } from './people.ts'

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'access' in value && 'path' in value
const forAdministrators = Object.values<unknown>(contract)
  .filter(isEndpoint)
  .filter(({ access }) => access === 'admin')

export function viewer(given: Given): void {
  describe('a viewer', () => {
    test('[spec 2 §6] sees live data and none of the controls that change something', async () => {
      const person = await addPerson(given, 'vera', 'viewer')
      const visit = await given.open({ as: person, height: 3_000 })
      const { page } = visit
      const view = overview(page)
      await view.ready()
      await entry(page).user('vera').waitFor()
      await entry(page).viewerBadge.waitFor()
      given.estate.lab.control.patchGuest(101, { cpu: 0.77 })
      await expectText(view.cell(101, 'CPU'), 20_000).toBe('77.0%')

      const security = securityPage(page)
      await security.tab.click()
      await page.getByRole('link', { name: 'Security', exact: true }).first().click()
      await security.title.waitFor()
      await security.open('API tokens')
      await security
        .panel('API tokens')
        .getByText('Sign in with an administrator account to create tokens in the browser.', { exact: true })
        .waitFor()
      await page
        .getByText('You need administrator access to create API tokens from here.', { exact: true })
        .waitFor()
      await security.open('Overview')
      const main = page.getByRole('main')
      const buttons = main.getByRole('button')
      expect(
        await buttons.evaluateAll((all) => all.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent)),
      ).toEqual(['Collapse sidebar', 'Change password'])
      expect(await main.getByRole('table').count()).toBe(0)
      expect(await main.getByRole('textbox').count()).toBe(0)
    })

    test('[S3] is refused every call of administrators, cookie and CSRF token notwithstanding', async () => {
      const person = await addPerson(given, 'vincent', 'viewer')
      const visit = await given.open({ as: person })
      visit.expects(refusedAnswer)
      await overview(visit.page).ready()
      expect(forAdministrators.length).toBeGreaterThan(15)
      const answers = await callAll(visit.page, forAdministrators)
      expect(answers).toEqual(forAdministrators.map(({ method, path }) => `${method} ${path}: 403 forbidden`))

      // The same calls succeed for an administrator, so the viewer's role is the reason for the refusal.
      const { page } = await given.open()
      await overview(page).ready()
      const reading = forAdministrators.filter(
        ({ method, path }) => method === 'GET' && path.startsWith('/api/security/'),
      )
      const admitted = await callAll(page, reading)
      expect(admitted).toEqual(reading.map(({ path }) => `GET ${path}: 200 `))
    })
  })
}

/** Calls from the page itself, as its program would. Each call claims another address, because of the rate limit. */
const callAll = (page: Page, endpoints: readonly contract.Endpoint[]): Promise<string[]> =>
  page.evaluate(
    (calls) =>
      Promise.all(
        calls.map(async ({ method, path }, index) => {
          const csrf = /pulse_csrf=([^;]*)/.exec(document.cookie)![1]!
          const response = await fetch(path.replace(/:\w+/g, 'anything'), {
            method,
            headers: {
              'X-CSRF-Token': decodeURIComponent(csrf),
              'X-Forwarded-For': `198.51.100.${index}`,
              ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
            },
            ...(method !== 'GET' && { body: '{}' }),
          })
          const { code = '' } = (await response.json()) as { code?: string }
          return `${method} ${path}: ${response.status} ${code}`
        }),
      ),
    endpoints.map(({ method, path }) => ({ method, path })),
  )
