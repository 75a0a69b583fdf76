import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101
/** A poll, the delay and a second poll, on a busy machine. */
const fireMs = 60_000
const off = { trigger: -1, clear: 0 }

interface Wire {
  vms: { id: string; vmid: number; name: string }[]
  containers: { id: string; vmid: number; name: string }[]
}

journeys(
  'alerts',
  (given) => {
    /** Enables only the CPU alert of one guest. */
    const watchOne = async (wanted = vmid) => {
      const { estate } = given
      const { vms, containers } = (await estate.call('GET', '/api/state')) as Wire
      const guest = [...vms, ...containers].find((one) => one.vmid === wanted)!
      const nothing = { cpu: off, memory: off, disk: off }
      await estate.call('PUT', '/api/alerts/config', {
        guestDefaults: { ...nothing, disableConnectivity: true },
        disableAllNodes: true,
        disableAllStorage: true,
        disableAllDatastores: true,
        disableAllDisks: true,
        disableAllCeph: true,
        disableAllFailedBackups: true,
        disableAllPBS: true,
        disableAllPMG: true,
        overrides: { [guest.id]: { cpu: { trigger: 80, clear: 75 } } },
      })
      await estate.call('POST', '/api/alerts/activate')
      return guest.name
    }

    /** Raises the only alert: the load of one guest. */
    const raise = async (wanted: number) => {
      const { call, lab } = given.estate
      const name = await watchOne(wanted)
      lab.control.patchGuest(wanted, { cpu: 0.95 })
      const active = async () => JSON.stringify(await call('GET', '/api/alerts/active'))
      await expect.poll(active, { timeout: within(fireMs), interval: 200 }).toContain(name)
      return name
    }

    test('[spec 3 §2] nothing is shown until alerts are activated', async () => {
      const { page } = await given.open({ path: '/alerts/history' })
      await page.getByRole('heading', { name: 'Alerts Overview' }).waitFor()
      await expectText(page.getByRole('navigation', { name: 'Alerts' }).first()).toContain('Thresholds')
      await page.getByRole('switch', { name: 'Alerts disabled' }).click()
      await page.getByText("Alerts activated! You'll now receive alerts when issues are detected.").waitFor()
      await page.getByRole('link', { name: 'Thresholds' }).first().click()
      await page.getByRole('heading', { name: 'Alert Thresholds' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/alerts/thresholds/proxmox')
    })

    test('[spec 3 §4] a rising load fires an alert on every page, one user acknowledges it for all, and it moves to the history when the load falls', async () => {
      const { control } = given.estate.lab
      const name = await watchOne()
      const one = await given.open()
      const other = await given.open({ path: '/alerts' })
      await overview(one.page).ready()
      control.patchGuest(vmid, { cpu: 0.95 })

      const badge = one.page.getByRole('link', { name: /^Alerts/ }).first()
      await expectText(badge, fireMs).toContain('1')
      await one.page.locator('[data-alert]').first().waitFor()
      const row = other.page.getByRole('row').filter({ hasText: name })
      await row.waitFor({ timeout: within(fireMs) })

      await one.page.goto(new URL('/alerts/overview', given.estate.url).href)
      await one.page.getByRole('button', { name: new RegExp(`^Acknowledge ${name}`) }).click()
      await row.getByText('Acknowledged').waitFor()
      await expectText(one.page.getByRole('link', { name: /^Alerts/ }).first()).not.toContain('1')

      control.patchGuest(vmid, { cpu: 0.05 })
      await other.page.getByText('No active alerts').waitFor({ timeout: within(fireMs) })
      await other.page.getByRole('link', { name: 'History' }).first().click()
      const entry = other.page.getByRole('row').filter({ hasText: name })
      await entry.waitFor()
      await expectText(entry).toContain('Acknowledged')
      const [kept] = (await given.estate.call('GET', '/api/alerts/history')) as {
        startTime: string
        endTime: string
        duration: number
      }[]
      const seconds = (Date.parse(kept!.endTime) - Date.parse(kept!.startTime)) / 1000
      expect(Math.abs(seconds - kept!.duration)).toBeLessThan(1.5)
      control.patchGuest(vmid, { cpu: null })
    })

    test('every page of the area is complete on both screens', async () => {
      const { lab, url } = given.estate
      // another guest, because an alert that has just resolved does not fire again at once
      const name = await raise(vmid + 1)
      for (const { title, ...screen } of screens) {
        const { page } = await given.open({ path: '/alerts', ...screen })
        for (const path of [
          'overview',
          'history',
          'schedule',
          'thresholds/proxmox',
          'thresholds/mail-gateway',
          'thresholds/docker',
        ]) {
          await page.goto(new URL(`/alerts/${path}`, url).href)
          await page.getByRole('heading', { level: 1, name: /Alert|Schedule/ }).waitFor()
          await page.locator('#content .skeleton').first().waitFor({ state: 'detached' })
          if (path === 'overview') await page.getByRole('button', { name: `Why: ${name}` }).waitFor()
          await expectNoSideways(page)
          expect(await cutOff(page), `${title} ${path}`).toEqual([])
          await examine(page, `${title}-alerts-${path.replace('/', '-')}`)
        }
      }
      lab.control.patchGuest(vmid + 1, { cpu: null })
    })

    test('in narrow windows the header is one line at 320 px, and a typical message is not cut off at 820 px', async () => {
      await raise(vmid + 5)
      const { call } = given.estate
      const { vms, containers } = (await call('GET', '/api/state')) as Wire
      const pair = [...vms, ...containers].filter(({ vmid: one }) => one === vmid + 5 || one === vmid + 6)
      const overrides = Object.fromEntries(pair.map(({ id }) => [id, { cpu: { trigger: 80, clear: 75 } }]))
      await call('PUT', '/api/alerts/config', { overrides })
      given.estate.lab.control.patchGuest(vmid + 6, { cpu: 0.95 })
      const active = async () => (await call('GET', '/api/alerts/active')) as { id: string }[]
      await expect.poll(active, { timeout: within(fireMs), interval: 200 }).toHaveLength(2)
      const [first] = await active()
      await call('POST', '/api/alerts/acknowledge', { id: first!.id })
      const { page } = await given.open({ path: '/alerts/overview', width: 320, height: 700 })
      await page.getByRole('button', { name: 'Hide acknowledged' }).waitFor()
      await expectNoSideways(page)
      const head = page.locator('#content header').first()
      const lines = await head.evaluate((element) => {
        const parts = [...element.querySelectorAll('button, p')].map((one) => one.getBoundingClientRect())
        return new Set(
          parts.filter(({ width }) => width > 1).map(({ top, height }) => Math.round((top + height / 2) / 8)),
        ).size
      })
      expect(lines).toBe(1)

      const tablet = await given.open({ path: '/alerts/overview', width: 820, height: 1100 })
      const message = tablet.page.getByText(/^CPU of .* is at .*\(threshold 80%\)$/).first()
      await message.waitFor()
      expect(await message.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      for (const one of [5, 6]) given.estate.lab.control.patchGuest(vmid + one, { cpu: null })
    })

    test('with quiet hours on, axe finds nothing on the schedule page', async () => {
      const { page } = await given.open({ path: '/alerts/schedule' })
      await page.getByRole('switch', { name: 'Quiet hours' }).click()
      await page.getByRole('button', { name: 'Monday' }).waitFor()
      await examine(page, 'alerts-quiet-hours')
    })

    test('on a phone the first alert begins above 200 px', async () => {
      const name = await raise(vmid + 2)
      const { page } = await given.open({ path: '/alerts/overview', width: 380, height: 800, dark: true })
      const first = page.getByRole('grid', { name: 'Active alerts' }).locator('[data-row]').first()
      await first.getByRole('button', { name: `Why: ${name}` }).waitFor()
      expect((await first.boundingBox())!.y).toBeLessThan(200)
      given.estate.lab.control.patchGuest(vmid + 2, { cpu: null })
    })

    test('[spec 3 §4] the button changes to Processing... without moving its neighbours', async () => {
      const name = await raise(vmid + 3)
      for (const width of [1440, 900, 680, 380]) {
        const { page } = await given.open({ path: '/alerts/overview', width, height: 800 })
        const row = page.getByRole('row').filter({ hasText: name })
        const boxes = () =>
          row
            .locator('button')
            .evaluateAll((all) => all.slice(-2).map((one) => one.getBoundingClientRect().toJSON() as unknown))
        for (const action of ['Acknowledge', 'Unacknowledge']) {
          const button = row.getByRole('button', { name: new RegExp(`^${action} `) })
          await button.waitFor()
          const before = await boxes()
          await button.click()
          const processing = row.getByRole('button', { name: /^Processing\.\.\. / })
          await processing.waitFor()
          expect(await boxes(), `${action} at ${width} px`).toEqual(before)
          expect(await processing.locator('svg').isVisible()).toBe(width < 906)
          await processing.waitFor({ state: 'detached' })
          expect(await boxes(), `after ${action} at ${width} px`).toEqual(before)
        }
        await page.close()
      }
      given.estate.lab.control.patchGuest(vmid + 3, { cpu: null })
    })

    test('[M 3.6] at 1440 px the table of the guests’ thresholds shows all of its columns', async () => {
      await given.estate.call('POST', '/api/alerts/activate')
      const { page } = await given.open({ path: '/alerts/thresholds/proxmox', width: 1440 })
      const grid = page.getByRole('treegrid', { name: 'VMs & Containers' })
      await grid.locator('[data-row]').first().waitFor()
      const beyond = await grid.evaluate((element) => {
        const all = [...element.querySelectorAll('*')]
        const { scrollWidth, clientWidth } = all.find((one) => getComputedStyle(one).overflowX === 'auto')!
        return scrollWidth - clientWidth
      })
      expect(beyond).toBe(0)
    })

    describe('by keyboard alone', () => {
      test('Enter starts and saves the edit of a threshold, Escape cancels it, Tab saves and moves on', async () => {
        const memory = { trigger: 85, clear: 80 }
        await given.estate.call('PUT', '/api/alerts/config', { guestDefaults: { memory } })
        await given.estate.call('POST', '/api/alerts/activate')
        const { page } = await given.open({ path: '/alerts/thresholds/proxmox' })
        const press = (key: string) => page.keyboard.press(key)
        const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
        const table = page.getByRole('treegrid', { name: 'VMs & Containers' })
        const edited = table.getByRole('textbox')
        const cell = (metric: string) => table.getByRole('button', { name: `${metric} of VMs & Containers` })
        await cell('Memory %').focus()
        await press('Enter')
        await edited.waitFor()
        await page.keyboard.type('42')
        await press('Enter')
        await expect.poll(focused).toContain('global defaults: 42')
        expect(await edited.count()).toBe(0)
        await press('Enter')
        await edited.waitFor()
        await page.keyboard.type('43')
        await press('Escape')
        await expect.poll(focused).toContain('global defaults: 42')
        await press('Enter')
        await page.keyboard.type('44')
        await press('Tab')
        await expect.poll(focused).toContain('Disk % of VMs & Containers')
        await expectText(cell('Memory %')).toBe('44')
        await press('ArrowDown')
        await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('row')
        await page.getByRole('button', { name: 'Discard' }).focus()
        await press('Enter')
        await page.getByText('Changes discarded').waitFor()
      })

      test('typing and / focus the search; Escape clears it and the selected bar of the chart', async () => {
        const { page } = await given.open({ path: '/alerts/history' })
        const press = (key: string) => page.keyboard.press(key)
        const search = page.getByRole('textbox', { name: 'Search alerts' })
        await page.locator('[data-bucket]').first().waitFor()
        await press('/')
        expect(await search.evaluate((box) => box === document.activeElement)).toBe(true)
        await page.keyboard.type('web')
        await press('Escape')
        expect(await search.inputValue()).toBe('')
        const height = () => page.getByRole('figure').evaluate((figure) => figure.clientHeight)
        const before = await height()
        await page.locator('[data-bucket][tabindex="0"]').focus()
        await press('ArrowLeft')
        await press('Enter')
        await page.getByText('Filtered Range').waitFor()
        expect(await height()).toBe(before)
        // the first press closes the tooltip of the bar
        await press('Escape')
        await press('Escape')
        await page.getByText('Filtered Range').waitFor({ state: 'detached' })
      })

      test('the sidebar opens and closes without moving its icons', async () => {
        const { page } = await given.open({ path: '/alerts/schedule' })
        const sidebar = page.getByRole('navigation', { name: 'Alerts' }).first()
        const iconBox = () => sidebar.getByRole('link').first().locator('svg').boundingBox()
        await sidebar.getByRole('link').first().waitFor()
        const before = await iconBox()
        for (const link of await sidebar.getByRole('link').all()) await link.focus()
        await page.getByRole('heading', { level: 1 }).click()
        await page.evaluate(() => (document.activeElement as HTMLElement).blur())
        expect(await iconBox()).toEqual(before)
      })
    })
  },
  { lab: { nodes: 2, guests: 12, pmg: 1 } },
)

/** Headers that overlap the next column, and controls that overflow their card. Elements that scroll sideways may. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const main = document.getElementById('content')!
    const heads = [...main.querySelectorAll<HTMLElement>('[role=columnheader]')].filter(
      (head) => head.scrollWidth > head.clientWidth,
    )
    const controls = [...main.querySelectorAll<HTMLElement>('section button')].filter((control) => {
      if (control.closest('[role=rowgroup].overflow-x-auto')) return false
      return control.getBoundingClientRect().right > control.closest('section')!.getBoundingClientRect().right
    })
    return [...heads, ...controls].map((one) => one.getAttribute('aria-label') ?? one.textContent)
  })
