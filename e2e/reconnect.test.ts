import type { Locator, Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { codeAway, refusedSocket, serverUnreachable, startingUp } from './entry.ts'
import { fetchedAhead } from './fetched-ahead.ts'
import { journeys } from './journey.ts'
import { expectText, overview, shownGuests } from './overview.ts'
import { within } from '../scripts/test-limits.ts'

const silenceMs = 10_000
const tall = { height: 3_000 }

journeys('the live connection', (given) => {
  const markLoaded = (page: Page) => page.evaluate(() => Object.assign(globalThis, { loadedOnce: true }))
  const isSameLoad = (page: Page) => page.evaluate(() => 'loadedOnce' in globalThis)
  const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Connection lost' })
  /** A page that has already reconnected no longer has the button. */
  const clickIfThere = (button: Locator) =>
    button.evaluateAll((all: HTMLElement[]) => {
      for (const one of all) one.click()
    })
  const expectAllOnce = async (page: Page) => {
    const all = shownGuests(given.estate.lab).map(({ vmid }) => vmid)
    const view = overview(page)
    await expect
      .poll(async () => (await view.vmids()).toSorted((a, b) => a - b), { timeout: within(30_000) })
      .toEqual(all)
  }

  afterEach(() => given.estate.startServer())

  describe('a server that is stopped and started again', () => {
    test('[spec 1 §4] Reconnecting with the last figures, Disconnected after some attempts, then all is back', async () => {
      const visit = await given.open(tall)
      const { page } = visit
      visit.expects(refusedSocket)
      visit.expects(serverUnreachable)
      visit.expects(codeAway)
      visit.expects(startingUp)
      const view = overview(page)
      await view.ready()
      await fetchedAhead(page)
      await markLoaded(page)

      await given.estate.stopServer()
      await expectText(view.connection, silenceMs).toBe('Reconnecting...')
      await expectText(notice(page)).toContain('Attempting to reconnect')
      await page.getByText(/^Figures are from/).waitFor()
      await expectAllOnce(page)

      await given.estate.startServer()
      await expectText(view.connection, 20_000).toBe('Connected')
      await notice(page).waitFor({ state: 'detached' })
      await expectAllOnce(page)
      expect(await isSameLoad(page)).toBe(true)

      await given.estate.stopServer()
      const reconnect = page.getByRole('button', { name: 'Reconnect now' })
      await expect
        .poll(
          async () => {
            const text = await view.connection.innerText()
            if (text !== 'Disconnected') await clickIfThere(reconnect)
            return text
          },
          { timeout: within(30_000), interval: 300 },
        )
        .toBe('Disconnected')
      await expectText(notice(page)).toContain('Unable to connect to the backend server')

      await given.estate.startServer()
      await clickIfThere(reconnect)
      await expectText(view.connection).toBe('Connected')
      await expectAllOnce(page)
      given.estate.lab.control.patchGuest(101, { cpu: 0.88 })
      await expectText(view.cell(101, 'CPU'), 15_000).toBe('88.0%')
      expect(await isSameLoad(page)).toBe(true)
    })
  })

  describe('a server that is silent', () => {
    test('[spec 1 §4] shows, although the connection stands', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      process.kill(given.estate.pid, 'SIGSTOP')
      try {
        await expectText(view.connection, 2 * silenceMs).toBe('Reconnecting...')
      } finally {
        process.kill(given.estate.pid, 'SIGCONT')
      }
      await expectText(view.connection).toBe('Connected')
      await notice(page).waitFor({ state: 'detached' })
    })
  })

  describe('before there was any data', () => {
    test('[spec 1 §2] Connection lost says so, and Reconnect now tries at once', async () => {
      let admits = false
      const { page } = await given.open({
        prepare: ({ page }) =>
          page.routeWebSocket('**/ws', (socket) => {
            if (admits) socket.connectToServer()
            else void socket.close()
          }),
      })
      await page.getByRole('heading', { name: 'Connection lost' }).waitFor()
      await expectText(notice(page)).toContain('Attempting to reconnect')
      await expectText(overview(page).connection).toBe('Reconnecting...')
      expect(await page.getByRole('grid').or(page.getByRole('treegrid')).count()).toBe(0)
      admits = true
      await clickIfThere(page.getByRole('button', { name: 'Reconnect now' }))
      await overview(page).ready()
      await expectText(overview(page).connection).toBe('Connected')
    })
  })
})
