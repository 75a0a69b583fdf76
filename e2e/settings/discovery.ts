import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { nodePage } from './node-page.ts'

export function discovery(given: Given): void {
  describe('discovery', () => {
    test('[spec 2 §5] looks through the subnets that are entered, and what it finds is added by its form', async () => {
      const { page } = await given.open({
        path: '/settings/system',
        headers: { 'X-Forwarded-For': '192.0.2.4' },
      })
      const nodes = nodePage(page)
      await enterSubnets(page, labSubnet(given))
      await nodes.toast('Discovery subnet saved').waitFor()

      await nodes.section('Proxmox VE nodes').click()
      const found = page.getByRole('list', { name: 'Discovered servers' })
      await nodes.panel('Discovered servers').getByRole('switch', { name: 'Discovery' }).click()
      const [first, ...others] = given.estate.lab.clusters[0]!.nodes
      for (const { address } of [first!, ...others]) await found.getByText(`${address}:8006`).waitFor()
      expect(await found.getByRole('listitem').count()).toBe(3)

      const row = found.getByRole('listitem').filter({ hasText: `${first!.address}:8006` })
      await row.getByRole('button').click()
      const form = nodes.form('Add Proxmox VE node')
      await form.says(first!.url).waitFor()
      await form.dialog.getByRole('radio', { name: 'Manual', exact: true }).click()
      expect(await form.dialog.getByRole('switch').isChecked()).toBe(false)
      const { tokenId, tokenSecret } = given.estate.lab.credentials
      await form.enter({ Name: 'found', 'Token ID': tokenId, 'Token value': tokenSecret })
      await form.submit('Add node')
      await nodes.status('found', 'Online').waitFor()
      // Adding one member added the others too.
      await found.waitFor({ state: 'detached' })

      for (const { title, server } of [
        { title: 'Proxmox Backup Server', server: given.estate.lab.pbs[0]! },
        { title: 'Proxmox Mail Gateway', server: given.estate.lab.pmg[0]! },
      ]) {
        await nodes.section(title).click()
        await found.getByText(`${server.address}:${server.port}`).waitFor()
        expect(await found.getByRole('listitem').count()).toBe(1)
      }
    })

    test('[spec 2 §5] says what is wrong with subnets, and saves none of it', async () => {
      const { page } = await given.open({
        path: '/settings/system',
        headers: { 'X-Forwarded-For': '192.0.2.5' },
      })
      const says = (text: string) => page.getByText(text, { exact: true })
      const invalid = 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)'
      await given.estate.call('POST', '/api/system/settings/update', { discoverySubnet: 'auto' })
      await page.reload()
      for (const text of ['127.0.0.1', '127.0.0.0/33', '256.0.0.0/8', '127.0.0.0/8; id', '::1/128']) {
        await enterSubnets(page, text)
        await says(invalid).waitFor()
        await page.getByLabel('Subnets', { exact: true }).fill('')
        await says(invalid).waitFor({ state: 'detached' })
      }
      await page.getByLabel('Subnets', { exact: true }).press('Enter')
      await says('Enter at least one subnet in CIDR format (e.g., 192.168.1.0/24)').waitFor()
      await nodePage(page).panel('Network discovery').getByRole('switch', { name: 'Discovery' }).click()
      await says('Enter at least one subnet before enabling discovery').waitFor()
      expect(await given.estate.call('GET', '/api/system/settings')).toMatchObject({
        discoverySubnet: 'auto',
        discoveryEnabled: false,
      })
    })
  })
}

async function enterSubnets(page: Page, text: string) {
  const field = page.getByLabel('Subnets', { exact: true })
  await page.getByRole('radio', { name: 'Custom subnet' }).click()
  await field.fill(text)
  await field.press('Enter')
}

/** A small network with all addresses of the lab, always within this machine. */
function labSubnet({ estate: { lab } }: Given): string {
  const servers = [...lab.clusters.flatMap(({ nodes }) => nodes), ...lab.pbs, ...lab.pmg]
  const [block] = new Set(servers.map(({ address }) => address.split('.').slice(0, 3).join('.')))
  expect(block).toMatch(/^127\./)
  expect(servers.every(({ address }) => Number(address.split('.')[3]) < 64)).toBe(true)
  return `${block}.0/26`
}
