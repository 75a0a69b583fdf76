import { beforeAll, expect, test } from 'vitest'
import { entry, refusedAnswer, refusedSocket } from './entry.ts'
import { account } from './estate.ts'
import { journeys } from './journey.ts'

journeys('unsaved edits', (given) => {
  beforeAll(() => given.estate.call('POST', '/api/alerts/activate'))

  test('outlive a session that another tab ended', async () => {
    const visit = await given.open({ path: '/alerts/schedule' })
    const { page } = visit
    visit.expects(refusedAnswer)
    visit.expects(refusedSocket)
    const field = page.getByRole('textbox', { name: 'Cooldown period' })
    await field.fill('17')
    await field.blur()
    await page.getByText('You have unsaved changes').waitFor()

    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Logout' }).click()
    await entry(page).title.waitFor()
    await other.close()
    await entry(page).signIn(account)
    await page.getByText('You have unsaved changes').waitFor()
    expect(await field.inputValue()).toBe('17')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText('Configuration saved successfully!').waitFor()
  })
})
