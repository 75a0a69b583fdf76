import { describe, expect, test } from 'vitest'
import { examine } from '../examine.ts'
import type { Given } from '../journey.ts'
import { expectLines, expectText, overview } from '../overview.ts'
import { deletedGuest } from './change.ts'
import { within } from '../../scripts/test-limits.ts'

const tall = { height: 3_000 }

export function guestDetails(given: Given): void {
  describe('the details of a guest', () => {
    test('[spec 1 §2] none of a VM that is stopped or whose agent is off, nor of a container that does not run: what to do', async () => {
      const { page } = await given.open(tall)
      const view = overview(page)
      await view.ready()
      await view.guest(134).click()
      const stopped = view.details(134)
      await expectText(stopped).toContain('Guest details unavailable')
      expect(await stopped.innerText()).toContain('The VM is stopped')
      await view.guest(107).click()
      const agentOff = view.details(107)
      await expectText(agentOff).toContain('Guest details unavailable')
      expect(await agentOff.innerText()).toContain('Guest agent is disabled in VM configuration.')
      await view.guest(105).click()
      const container = view.details(105)
      await expectText(container).toContain('Guest details unavailable')
      expect(await container.innerText()).toContain('Start the container and ensure sufficient permissions.')
    })

    test('[spec 1 §2] opened ones are remembered; a click inside or on a link does not close them', async () => {
      const { page } = await given.open(tall)
      const view = overview(page)
      await view.ready()
      await view.guest(100).click()
      await page.getByRole('button', { name: 'Details of gitea' }).click()
      const open = [100, 123]
      for (const vmid of open) await view.details(vmid).waitFor()
      await view.details(100).click()
      await view.details(100).waitFor()

      await view.showFilters()
      await view.search.fill('db01')
      await expectLines(view).toEqual(['pve2', '101'])
      await view.toggle('Layout', 'List').click()
      await view.search.fill('gitea')
      await expectLines(view).toEqual(['123', 'details'])
      await view.search.fill('')
      for (const vmid of open) await view.details(vmid).waitFor()
      await view.guest(100).click()
      await view.details(100).waitFor({ state: 'detached' })
      await view.details(123).waitFor()
    })

    test('[spec 1 §2] a container shows its memory with swap, and its interfaces', async () => {
      const { page } = await given.open(tall)
      const view = overview(page)
      await view.ready()
      await view.guest(111).click()
      const details = view.details(111)
      await expectText(details, 60_000).toMatch(/Swap\s+[\d.]+ [KMG]?B of [\d.]+ [KMG]B/)
      await expectText(details, 60_000).toMatch(/eth0/)
    })

    test('[spec 1 §2] a VM with agent shows all four panels, and its balloon if that took something', async () => {
      const { page } = await given.open({ ...tall, stored: { dashboardGroupingMode: 'flat' } })
      const view = overview(page)
      await view.ready()
      await view.guest(136).click()
      await expectText(view.details(136), 120_000).toMatch(/Balloon\s+1\.4 GB/)
      await view.guest(136).click()
      await view.guest(101).click()
      const details = view.details(101)
      await expectText(details, 120_000).toContain('Debian GNU/Linux')
      const panel = (title: string) =>
        details
          .locator('section')
          .filter({ has: page.getByRole('heading', { name: title }) })
          .innerText()
      expect(await details.getByRole('heading').allInnerTexts()).toEqual([
        'Guest Overview',
        'Memory',
        'Filesystems',
        'Network Interfaces',
      ])
      const guest = await panel('Guest Overview')
      expect(guest).toMatch(/OS\s+Debian GNU\/Linux 12/)
      expect(guest).toMatch(/IP addresses\s+\d+\.\d+\.\d+\.\d+/)
      expect(await panel('Memory')).toMatch(/Used\s+[\d.]+ [MG]B of [\d.]+ GB/)
      expect(await panel('Filesystems')).toMatch(/\/[^\n]*\s[\d.]+ [KMG]B of [\d.]+ [MGT]B \(\d+\.\d%\)/)
      const interfaces = await panel('Network Interfaces')
      expect(interfaces).toMatch(/(\w\w:){5}\w\w/i)
      expect(interfaces).toMatch(/\d+\.\d+\.\d+\.\d+/)
      expect(interfaces).toMatch(/RX [\d.]+ [KMGT]?B · TX [\d.]+ [KMGT]?B/)
      expect(interfaces).toContain('cumulative since boot')
      expect(await view.cell(101, 'Disk').innerText()).toMatch(/^\d+\.\d%$/)

      await page.setViewportSize({ width: 1440, height: 900 })
      await details.scrollIntoViewIfNeeded()
      await examine(page, 'light-1440-panels')
      await page.getByRole('button', { name: 'Switch to dark mode' }).click()
      // away from the button, whose tooltip would stay when the page becomes narrow
      await page.mouse.move(0, 0)
      await page.setViewportSize({ width: 380, height: 800 })
      await details.scrollIntoViewIfNeeded()
      await examine(page, 'dark-380-panels')
    })

    test('[spec 1 §2] a deleted guest is gone after a minute', async () => {
      const { page } = await given.open(tall)
      const view = overview(page)
      await view.ready()
      await view.guest(deletedGuest).waitFor({ state: 'detached', timeout: within(80_000) })
      expect(await view.vmids()).toContain(deletedGuest - 1)
    })
  })
}
