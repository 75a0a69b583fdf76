import type { NodeConfig } from '@pulse/contract'
import fs from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { downloaded } from '../downloaded.ts'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { nodePage } from './node-page.ts'
import { settingsPage } from './settings-page.ts'

const passphrase = 'a passphrase of this journey'
const url = 'https://kept.example.org/'

export function transfer(given: Given): void {
  describe('export and import', () => {
    test('[spec 2 §1] one file and its passphrase bring everything back', async () => {
      const { estate } = given
      await estate.connect()
      const guest = estate.lab.control.guests().find(({ vmid }) => vmid === 103)!
      const first = await given.open({ path: '/settings/urls', headers: { 'X-Forwarded-For': '192.0.2.20' } })
      const search = first.page.getByRole('searchbox', { name: 'Filter guests' })
      await search.fill('103')
      await first.page.getByRole('button', { name: /^Edit URL of / }).click()
      await first.page.getByRole('textbox', { name: /^URL of / }).fill(url)
      await first.page.getByRole('button', { name: 'Save changes' }).click()
      await settingsPage(first.page).toast('Guest URLs saved').waitFor()
      const before = await configuration(given)
      const file = await exportFile(first.page)
      const text = fs.readFileSync(file, 'utf8')
      for (const hidden of [estate.lab.credentials.tokenSecret, 'kept.example.org']) {
        expect(text).not.toContain(hidden)
      }
      await first.page.close()

      await estate.stopServer()
      fs.rmSync(estate.dataDir, { recursive: true })
      await estate.startServer()

      const visit = await given.open({
        path: '/settings/pve',
        height: 3_000,
        headers: { 'X-Forwarded-For': '192.0.2.21' },
      })
      visit.expects(/status of 400 .*\/api\/config\/import\/preview$/)
      const { page } = visit
      const nodes = nodePage(page)
      await page.getByText('No Proxmox VE node is monitored yet', { exact: true }).waitFor()
      await nodes.section('Security').click()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      const dialog = nodes.dialog('Import configuration')
      const submit = dialog.getByRole('button', { name: 'Import', exact: true })
      const problem = dialog.getByRole('alert')
      const choose = (content: string | Buffer) =>
        dialog.getByLabel('Configuration file').setInputFiles({
          name: 'pulse-config.json',
          mimeType: 'application/json',
          buffer: Buffer.from(content),
        })
      await submit.click()
      await expectText(problem).toBe('Please enter the password')
      await dialog.getByLabel('Backup password', { exact: true }).fill('a wrong passphrase')
      await submit.click()
      await expectText(problem).toBe('Please select a file to import')
      await choose('not JSON')
      await submit.click()
      await expectText(problem).toBe('Invalid JSON file format')
      await choose(text)
      await submit.click()
      await expectText(problem).toBe('The passphrase is wrong, or the file is damaged.')
      expect(await estate.call('GET', '/api/config/nodes')).toEqual([])

      await dialog.getByLabel('Backup password', { exact: true }).fill(passphrase)
      await submit.click()
      await dialog
        .getByRole('group', { name: 'Nodes' })
        .getByText(/, added$/)
        .first()
        .waitFor()
      expect(await estate.call('GET', '/api/config/nodes')).toEqual([])
      const toast = nodes.toast('Configuration imported successfully. Reloading...').waitFor()
      const reloaded = page.waitForEvent('load')
      await dialog.getByRole('button', { name: 'Import now', exact: true }).click()
      await Promise.all([toast, reloaded])
      await nodes.title('Security').waitFor()
      expect(await configuration(given)).toEqual(before)
      await nodes.section('Proxmox VE nodes').click()
      await nodes.status(estate.lab.clusters[0]!.name, 'Online').waitFor()
      await page.getByRole('link', { name: 'Add host: Proxmox' }).waitFor({ state: 'detached' })
      await nodes.proxmox.click()
      const link = overview(page).guest(guest.vmid).locator(`a[href="${url}"]`)
      await link.waitFor()
    })
  })
}

async function exportFile(page: Page): Promise<string> {
  const settings = settingsPage(page)
  await settings.section('System').click()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = settings.dialog('Export configuration')
  const submit = dialog.getByRole('button', { name: 'Export', exact: true })
  await submit.click()
  await dialog.getByText('Please enter your password', { exact: true }).waitFor()
  await dialog.getByRole('radio', { name: 'Custom passphrase' }).click()
  const field = dialog.getByLabel('Passphrase', { exact: true })
  expect(await submit.isDisabled()).toBe(true)
  await field.press('Enter')
  await dialog.getByText('Please enter a passphrase', { exact: true }).waitFor()
  await field.fill('eleven char')
  expect(await submit.isDisabled()).toBe(true)
  await field.fill(passphrase)
  const [file] = await Promise.all([page.waitForEvent('download'), submit.click()])
  await settings.toast('Configuration exported successfully').waitFor()
  expect(file.suggestedFilename()).toMatch(/^pulse-config-\d{4}-\d\d-\d\d\.json$/)
  return downloaded(file)
}

/** The part that an import must restore. The time and result of the last answer are not configuration. */
async function configuration({ estate }: Given) {
  const [nodes, settings, guests] = await Promise.all(
    ['/api/config/nodes', '/api/system/settings', '/api/guests/metadata'].map((path) =>
      estate.call('GET', path),
    ),
  )
  const stored = (nodes as NodeConfig[]).map(({ status: _status, error: _error, ...node }) => node)
  return { nodes: stored.toSorted((a, b) => (a.id < b.id ? -1 : 1)), settings, guests }
}
