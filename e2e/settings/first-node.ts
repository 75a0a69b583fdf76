import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { nodePage } from './node-page.ts'
import { within } from '../../scripts/test-limits.ts'

const nodesTitle = 'Proxmox VE nodes'
const addTitle = 'Add Proxmox VE node'
const refused = 'Authentication failed: check token ID and secret'
const wrongSecret = '00000000-0000-0000-0000-000000000000'
/** The browser also logs a failed connection test as an error. */
const failedTest = /status of 400 .*\/api\/config\/nodes\/test-connection$/

export function firstNode(given: Given): void {
  describe('from an empty data folder', () => {
    test('[spec 2 §2] to a watched cluster, by a token; changed, tested, and removed again', async () => {
      const { lab, dataDir, url } = given.estate
      const { credentials } = lab
      const [first] = lab.clusters[0]!.nodes
      const token = fs.readFileSync(path.join(dataDir, '.bootstrap_token'), 'utf8').trim()
      const visit = await given.open({ path: `/#setup=${token}` })
      visit.expects(failedTest)
      const { page } = visit
      const nodes = nodePage(page)
      const view = overview(page)

      await page.getByRole('button', { name: 'Set up Pulse' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('heading', { name: 'No Proxmox VE nodes configured' }).waitFor()
      await page.getByRole('link', { name: 'Go to Settings' }).click()
      await nodes.title(nodesTitle).waitFor()
      expect(page.url()).toBe(`${url}/settings/pve`)
      await page.getByText('No Proxmox VE node is monitored yet', { exact: true }).waitFor()

      await nodes.add.click()
      const form = nodes.form(addTitle)
      await form.button('Continue').click()
      await form.says('Host is required').waitFor()
      expect(await form.field('Host URL').evaluate((field) => field === document.activeElement)).toBe(true)
      await form.goOn(`${first!.address}:${first!.port}`)
      await form.test()
      await form.says('Token ID and token value are required').waitFor()

      // A self-signed certificate may contain any name.
      await form.enter({
        Name: 'lab',
        'Token ID': credentials.tokenId,
        'Token value': wrongSecret,
      })
      await form.test()
      await form.says(first!.fingerprint).waitFor()
      await form.button('Trust this certificate').click()
      await expectText(form.dialog.getByRole('alert')).toBe(refused)
      expect(await form.field('SHA-256 fingerprint').inputValue()).toBe(first!.fingerprint)

      await form.enter({ 'Token value': credentials.tokenSecret })
      await form.test()
      await form.says('Cluster detected! All cluster nodes will be automatically added.').waitFor()
      await form.submit('Add node')
      await nodes.toast('Node added successfully').waitFor()
      await nodes.status('lab', 'Online').waitFor()
      await nodes.card('lab').getByText(`Cluster ${lab.clusters[0]!.name}`, { exact: true }).waitFor()
      await nodes.card('lab').getByText('3 endpoints', { exact: true }).waitFor()
      expect(await page.content()).not.toContain(credentials.tokenSecret)

      // Until the first guests arrive, the tab links to this page.
      await page.getByRole('link', { name: 'Add host: Proxmox' }).waitFor({ state: 'detached' })
      await nodes.proxmox.click()
      await view.ready()
      for (const { name } of lab.clusters[0]!.nodes) await view.node(name).waitFor()
      await expect
        .poll(() => view.vmids().then((vmids) => vmids.length), { timeout: within(30_000) })
        .toBeGreaterThan(5)

      await nodes.tab.click()
      await nodes.button('Edit', 'lab').click()
      const edit = nodes.form('Edit Proxmox VE node')
      expect(await edit.field('Token value').inputValue()).toBe('')
      await edit.enter({ 'Token value': wrongSecret })
      await edit.test()
      await expectText(edit.dialog.getByRole('alert')).toBe(refused)
      await edit.enter({ 'Token value': '' })
      await edit.test()
      await edit.says('Cluster detected! All cluster nodes will be automatically added.').waitFor()
      await edit.enter({ Name: 'renamed' })
      await edit.flag('Storage').click()
      await edit.submit('Update node')
      await nodes.toast('Node updated successfully').waitFor()
      await nodes.status('renamed', 'Online').waitFor()
      expect(await nodes.card('renamed').getByText('Storage', { exact: true }).count()).toBe(0)

      await nodes.button('Test connection to', 'renamed').click()
      await nodes.toast('Cluster detected! All cluster nodes will be automatically added.').waitFor()

      await nodes.button('Delete', 'renamed').click()
      const remove = nodes.dialog('Remove node')
      await remove.getByRole('button', { name: 'Remove node' }).click()
      await nodes.toast('renamed removed successfully').waitFor()
      await page.getByText('No Proxmox VE node is monitored yet', { exact: true }).waitFor()
      await nodes.proxmox.click()
      await page.getByRole('heading', { name: 'No Proxmox VE nodes configured' }).waitFor()
    })
  })
}
