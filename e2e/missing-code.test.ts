import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { refusedSocket, serverUnreachable, startingUp } from './entry.ts'
import { fetchedAhead } from './fetched-ahead.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'

/** Errors that the browser logs about files and calls while the server is unreachable. */
const noServer = [
  refusedSocket,
  serverUnreachable,
  /net::ERR_CONNECTION_REFUSED/,
  /Failed to fetch/,
  startingUp,
]
const missingFile = /the server responded with a status of 404|Failed to fetch dynamically imported module/
const markLoaded = (page: Page) => page.evaluate(() => Object.assign(globalThis, { loadedOnce: true }))
const isSameLoad = (page: Page) => page.evaluate(() => 'loadedOnce' in globalThis)

journeys('code that is loaded on demand', (given) => {
  beforeAll(() => given.estate.call('POST', '/api/alerts/activate'))
  afterEach(() => given.estate.startServer())

  const editSchedule = async (page: Page, minutes: string) => {
    const field = page.getByRole('textbox', { name: 'Cooldown period' })
    await field.fill(minutes)
    await field.blur()
    await page.getByText('You have unsaved changes').waitFor()
    return field
  }

  test('a failed save is reported and loses no edit; it succeeds when the server is back', async () => {
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

  test('tooltips and popovers open without a server: their code was fetched after the first figures', async () => {
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

  // Chromium from 150 on remembers a module that failed, so that the page reloads once. Its address has the open rows.
  test('a part without its code shows an error in its place, and is there when the server is back', async () => {
    const visit = await given.open({ height: 3_000 })
    const { page } = visit
    for (const text of noServer) visit.expects(text)
    const view = overview(page)
    await view.ready()
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
  })

  test('the page reloads when an update has removed code that it needs', async () => {
    const visit = await given.open()
    const { page } = visit
    visit.expects(missingFile)
    await overview(page).ready()
    await markLoaded(page)
    await page.route(/key-help/, (route) => route.fulfill({ status: 404, body: '' }))
    // The page reloads only when the server answers; a busy server may need another press. The new page gets
    // none, because it would look for the same code.
    const pressAndLook = async () => {
      if (await isSameLoad(page)) await page.keyboard.press('?')
      return isSameLoad(page)
    }
    await expect.poll(() => pressAndLook().catch(() => true), { interval: within(2_500) }).toBe(false)
    await page.unroute(/key-help/)
    await overview(page).ready()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  })

  test('the page does not reload on its own while edits are unsaved', async () => {
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
