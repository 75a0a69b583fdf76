import { describe, test } from 'vitest'
import { entry, refusedAnswer } from '../entry.ts'
import { examine } from '../examine.ts'
import type { Given } from '../journey.ts'
import { expectNoSideways, screens } from '../screens.ts'
import { securityPage, securityPath } from '../security-page.ts'

export function accessibility(given: Given): void {
  describe('everyone can use it', () => {
    // Each guesses from its own address, because the rate limit allows few guesses per minute and address.
    const guessers = screens.map((screen, index) => ({ ...screen, address: `192.0.2.${10 + index}` }))
    describe.each(guessers)('$title', ({ title, address, ...screen }) => {
      test('[spec 1 §2] axe finds nothing in the login', async () => {
        const visit = await given.open({
          ...screen,
          signedOut: true,
          headers: { 'X-Forwarded-For': address },
        })
        visit.expects(refusedAnswer)
        const { page } = visit
        const door = entry(page)
        await door.title.waitFor()
        await examine(page, `${title}-login`)
        for (let attempt = 0; attempt < 6; attempt++) {
          const answered = page.waitForResponse('**/api/login')
          await door.signIn({ username: `unknown-${title}`, password: 'nothing' })
          await answered
        }
        await page.getByText('Lockouts expire automatically.').waitFor()
        await examine(page, `${title}-login-locked`)
        await expectNoSideways(page)
      })

      test('[spec 2 §2] axe finds nothing in Settings → Security', async () => {
        const { page } = await given.open({ ...screen, path: securityPath })
        const security = securityPage(page)
        await security.ready()
        await expectNoSideways(page)
        await examine(page, `${title}-security`)
        for (const topic of ['Single sign-on', 'Users', 'Audit log', 'API tokens'] as const) {
          await security.open(topic)
          await expectNoSideways(page)
          await examine(page, `${title}-security-${topic}`)
        }
        await page.getByRole('button', { name: 'New token' }).click()
        await page.getByRole('radio', { name: 'Chosen scopes' }).click()
        await security.dialog('New API token').getByRole('checkbox').first().waitFor()
        await examine(page, `${title}-security-token`)
        await expectNoSideways(page)
      })
    })
  })
}
