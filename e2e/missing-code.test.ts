import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { refusedSocket, serverUnreachable, startingUp } from './entry.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'

/** What the browser itself reports about files and calls while there is no server. */
const noServer = [
  refusedSocket,
  serverUnreachable,
  /net::ERR_CONNECTION_REFUSED/,
  /Failed to fetch/,
  startingUp,
]
const missingFile = /the server responded with a status of 404|Failed to fetch dynamically imported module/
const markLoaded = (page: Page) => page.evaluate(() => Object.assign(globalThis, { loadedOnce: true }))
/** The page fetches this code after its first figures: by then the network may have been idle once already. */
const fetchedAhead = async (page: Page) => {
  await page.getByText(/^Last refresh/).waitFor()
  for (const name of ['toaster', 'tooltip-bubble', 'popover-parts']) {
    const file = await page.waitForFunction((part) => {
      const fetched = performance.getEntriesByType('resource').map((entry) => entry.name)
      return fetched.find((address) => address.includes(`/assets/${part}-`) && address.endsWith('.js'))
    }, name)
    // as text: the tests' own loader would take the import for its own
    await page.evaluate(`import(${JSON.stringify(await file.jsonValue())}).then(() => undefined)`)
  }
}
const isSameLoad = (page: Page) => page.evaluate(() => 'loadedOnce' in globalThis)

journeys('code that is loaded later', (given) => {
  beforeAll(() => given.estate.call('POST', '/api/alerts/activate'))
  afterEach(() => given.estate.startServer())

  const editSchedule = async (page: Page, minutes: string) => {
    const field = page.getByRole('textbox', { name: 'Cooldown period' })
    await field.fill(minutes)
    await field.blur()
    await page.getByText('You have unsaved changes').waitFor()
    return field
  }

  test('a save without a server says so and loses no edit; with the server back it is saved', async () => {
    const visit = await given.open({ path: '/alerts/schedule' })
    const { page } = visit
    for (const text of noServer) visit.expects(text)
    const field = await editSchedule(page, '17')
    await fetchedAhead(page)
    await page.waitForLoadState('networkidle')

    await given.estate.stopServer()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page
      .getByText('Pulse does not answer')
      .first()
      .waitFor({ timeout: within(20_000) })
    expect(await field.inputValue()).toBe('17')
    expect(await page.getByText('Error Loading App').count()).toBe(0)

    await given.estate.startServer()
    await expectText(overview(page).connection, 20_000).toBe('Connected')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText('Configuration saved successfully!').waitFor()
    const { schedule } = (await given.estate.call('GET', '/api/alerts/config')) as {
      schedule: { cooldown: number }
    }
    expect(schedule.cooldown).toBe(17)
  })

  test('without a server tooltips and popovers still open: their code came behind the first figures', async () => {
    const visit = await given.open({ height: 3_000 })
    const { page } = visit
    for (const text of noServer) visit.expects(text)
    const view = overview(page)
    await view.ready()
    await fetchedAhead(page)
    await given.estate.stopServer()
    await page.locator('[data-row^=guest] [data-tip]').first().hover()
    await page.getByRole('tooltip').waitFor()
    await view.showFilters()
    await page.getByRole('button', { name: 'Search tips' }).click()
    await page.getByRole('dialog', { name: 'Search tips' }).getByText('cpu>80', { exact: true }).waitFor()
  })

  test('a part whose code is missing says so in its place, and comes when the server is back', async () => {
    const visit = await given.open({ height: 3_000 })
    const { page } = visit
    for (const text of noServer) visit.expects(text)
    const view = overview(page)
    await view.ready()
    await markLoaded(page)
    await given.estate.stopServer()
    await expectText(view.connection, 10_000).toBe('Reconnecting...')

    await view.guest(101).click()
    await view.details(101).waitFor()
    await page.getByText('Pulse does not answer').first().waitFor()
    await page.keyboard.press('?')
    await page.getByText('The keyboard help cannot be shown: Pulse does not answer').waitFor()
    expect(await page.getByText('Error Loading App').count()).toBe(0)

    await given.estate.startServer()
    await expectText(view.connection, 20_000).toBe('Connected')
    await view.details(101).getByRole('figure').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await isSameLoad(page)).toBe(true)
  })

  test('code that an update took away loads the page anew', async () => {
    const visit = await given.open()
    const { page } = visit
    visit.expects(missingFile)
    await overview(page).ready()
    await markLoaded(page)
    await page.route(/key-help/, (route) => route.fulfill({ status: 404, body: '' }))
    // A server that is too busy to say that it is there is not known to have been updated: the user presses again.
    const pressAndLook = async () => {
      await page.keyboard.press('?')
      return isSameLoad(page)
    }
    await expect.poll(() => pressAndLook().catch(() => true), { interval: within(2_500) }).toBe(false)
    await page.unroute(/key-help/)
    await overview(page).ready()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  })

  test('while edits are unsaved nothing is loaded anew unasked', async () => {
    const visit = await given.open({ path: '/alerts/thresholds/proxmox' })
    const { page } = visit
    visit.expects(missingFile)
    await page.getByRole('heading', { name: 'Alert Thresholds' }).waitFor()
    await page.getByRole('link', { name: 'Schedule' }).first().click()
    const field = await editSchedule(page, '18')
    await markLoaded(page)
    await page.route(/section-/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Notifications' }).first().click()
    await page.getByText('Pulse was updated. Reload the page to continue.').waitFor()
    expect(await isSameLoad(page)).toBe(true)
    await page.getByRole('link', { name: 'Schedule' }).first().click()
    await field.waitFor()
    expect(await field.inputValue()).toBe('18')
  })
})
