import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101
/** A poll, the delay, a second poll, and a machine that has other things to do. */
const fireMs = 60_000
const off = { trigger: -1, clear: 0 }

interface Wire {
  vms: { id: string; vmid: number; name: string }[]
  containers: { id: string; vmid: number; name: string }[]
}

journeys(
  'alerts',
  (given) => {
    /** Of everything only the load of one guest is watched. */
    const watchOne = async () => {
      const { estate } = given
      const { vms, containers } = (await estate.call('GET', '/api/state')) as Wire
      const guest = [...vms, ...containers].find((one) => one.vmid === vmid)!
      const nothing = { cpu: off, memory: off, disk: off }
      await estate.call('PUT', '/api/alerts/config', {
        guestDefaults: { ...nothing, disableConnectivity: true },
        disableAllNodes: true,
        disableAllStorage: true,
        disableAllPBS: true,
        disableAllPMG: true,
        overrides: { [guest.id]: { cpu: { trigger: 80, clear: 75 } } },
      })
      await estate.call('POST', '/api/alerts/activate')
      return guest.name
    }

    test('[spec 3 §2] nothing is shown before they are activated, and every page waits for it', async () => {
      const { page } = await given.open({ path: '/alerts/history' })
      await page.getByRole('heading', { name: 'Alerts Overview' }).waitFor()
      await expectText(page.getByRole('navigation', { name: 'Alerts' }).first()).toContain('Thresholds')
      await page.getByRole('switch', { name: 'Alerts disabled' }).click()
      await page.getByText("Alerts activated! You'll now receive alerts when issues are detected.").waitFor()
      await page.getByRole('link', { name: 'Thresholds' }).first().click()
      await page.getByRole('heading', { name: 'Alert Thresholds' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/alerts/thresholds/proxmox')
    })

    test('[spec 3 §4] a load that rises is an alert everywhere, is acknowledged for everybody, and is history when it falls', async () => {
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

    test('every page of the area stands on both screens', async () => {
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
          await page.goto(new URL(`/alerts/${path}`, given.estate.url).href)
          await page.getByRole('heading', { level: 1, name: /Alert|Schedule/ }).waitFor()
          await page.locator('#content .skeleton').first().waitFor({ state: 'detached' })
          await expectNoSideways(page)
          await examine(page, `${title}-alerts-${path.replace('/', '-')}`)
        }
      }
    })
  },
  { lab: { nodes: 2, guests: 12 } },
)
