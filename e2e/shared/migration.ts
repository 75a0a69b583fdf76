import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'
import { within } from '../../scripts/test-limits.ts'

const pollMs = 15_000

export function migration(given: Given): void {
  describe('a guest', () => {
    test('[spec 1 §3] that migrates moves to the other node, stays open and keeps its link', async () => {
      const { lab, call } = given.estate
      const { vmid, name } = lab.control.guest(125)
      const [cluster] = lab.clusters
      await call('PUT', `/api/guests/metadata/${cluster!.name}-pve1-${vmid}`, {
        customUrl: 'https://127.0.0.1:8443/',
      })
      const { page } = await given.open({ height: 3_000 })
      const view = overview(page)
      await view.ready()
      await view.cell(vmid, 'VMID').click()
      await view.details(vmid).waitFor()
      const link = view.guest(vmid).getByRole('link', { name: name!, exact: true })
      await link.waitFor()

      lab.control.migrateGuest(vmid, 'pve3')
      const below = async () => {
        const lines = await view.lines()
        return lines.slice(0, lines.indexOf(String(vmid)) + 1).findLast((line) => line.startsWith('pve'))
      }
      await expect.poll(below, { timeout: within(pollMs) }).toBe('pve3')
      expect((await view.vmids()).filter((one) => one === vmid)).toEqual([vmid])
      const lines = await view.lines()
      expect(lines[lines.indexOf(String(vmid)) + 1]).toBe('details')
      expect(await link.getAttribute('href')).toBe('https://127.0.0.1:8443/')
    })
  })
}
