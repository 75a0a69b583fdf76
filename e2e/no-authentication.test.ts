import { expect, test } from 'vitest'
import { entry } from './entry.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { securityPage, securityPath } from './security-page.ts'

journeys(
  'authentication switched off',
  (given) => {
    test('[spec 1 §4] goes straight in, without a user and without Logout', async () => {
      const { page } = await given.open({ path: '/' })
      await page.getByRole('heading', { name: 'No Proxmox VE nodes configured' }).waitFor()
      await expectText(overview(page).connection).toBe('Connected')
      expect(await entry(page).logout.count()).toBe(0)
      expect(await page.context().cookies()).toEqual([])
    })

    test('[spec 2 §2] Security says so, and how to change it', async () => {
      const { page } = await given.open({ path: securityPath })
      const security = securityPage(page)
      await security.ready()
      await page.getByText('Authentication is disabled', { exact: true }).waitFor()
      await page
        .getByText('Authentication is switched off by DISABLE_AUTH. Pulse admits only this machine.')
        .last()
        .waitFor()
      await page.getByRole('button', { name: 'Setup', exact: true }).click()
      expect(await security.dialog('Turn authentication on').innerText()).toContain(
        'Remove the variable DISABLE_AUTH from the environment',
      )
    })
  },
  { fresh: true, connected: false, env: { DISABLE_AUTH: 'true' } },
)
