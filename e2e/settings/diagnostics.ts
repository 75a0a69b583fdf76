import type { Lab } from '@pulse/lab'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { downloaded } from '../downloaded.ts'
import type { Given } from '../journey.ts'
import { settingsPage } from './settings-page.ts'
import { within } from '../../scripts/test-limits.ts'

export function diagnostics(given: Given): void {
  describe('the diagnostics', () => {
    test('[spec 2 §2] show every connection, what it may not see and what to do about it, and the system', async () => {
      const { lab } = given.estate
      const { tokenId, tokenSecret } = lab.credentials
      const [cluster, pbs, pmg] = [lab.clusters[0]!.name, lab.pbs[0]!.name, lab.pmg[0]!.name]
      const { page } = await given.open({ path: '/settings/diagnostics' })
      const card = (name: string) => page.getByRole('article', { name, exact: true })
      await page.getByText('Not run yet', { exact: true }).waitFor()
      lab.control.patchToken(tokenId, { drop: ['Datastore.Allocate', 'Datastore.AllocateSpace'] })
      lab.control.patchAppliance(pmg, { online: false })
      try {
        await page.getByRole('button', { name: 'Run Diagnostics', exact: true }).click()
        await page.getByText(/^2 of 3 connections answer/).waitFor({ timeout: within(30_000) })
      } finally {
        lab.control.patchToken(tokenId, { drop: [] })
        lab.control.patchAppliance(pmg, { online: true })
      }
      await page
        .getByRole('article')
        .first()
        .and(card(pmg))
        .getByText('Not connected', { exact: true })
        .waitFor()
      await card(cluster).getByText('Connected', { exact: true }).waitFor()
      await card(cluster)
        .getByText('The token may not read backups: give it PVEDatastoreAdmin on /storage', { exact: true })
        .waitFor()
      await card(pbs).getByText('The account has all required permissions.', { exact: true }).waitFor()
      const information = settingsPage(page).panel('System information')
      for (const label of ['Version', 'Uptime', 'Operating system', 'Architecture']) {
        await information.getByText(label, { exact: true }).waitFor()
      }
      expect(await page.content()).not.toContain(tokenSecret)
    })

    test('[spec 2 §2] check the nodes whose temperature is to be read', async () => {
      const [node] = given.estate.lab.clusters[0]!.nodes
      const { page } = await given.open({ path: '/settings/pve' })
      const helper = settingsPage(page).panel('Temperature helper')
      const check = helper.getByRole('button', { name: 'Check proxy nodes' })
      const watch = helper.getByRole('switch', { name: node!.name, exact: true })
      await check.click()
      await helper
        .getByText('Temperature reading is not set up. Enable it for a node first.', { exact: true })
        .waitFor()
      await watch.click()
      await helper.getByRole('button', { name: 'Download setup script' }).waitFor()
      await check.click()
      await helper
        .getByText('Some nodes are not ready. Run the setup script on them and check again.', { exact: true })
        .waitFor({ timeout: within(30_000) })
      const row = helper.getByRole('list', { name: 'Proxy nodes' }).getByRole('listitem')
      expect(await row.count()).toBe(1)
      await row.getByText('Unreachable', { exact: true }).waitFor()
      await watch.click()
      await helper.getByRole('button', { name: 'Download setup script' }).waitFor({ state: 'detached' })
    })

    test('[spec 2 §9] go into a file, whole or without names and addresses', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/settings/diagnostics' })
      const fetchFile = async (mode: string) => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download ${mode} JSON`, exact: true }).click(),
        ])
        expect(file.suggestedFilename()).toMatch(
          new RegExp(`^pulse-diagnostics-${mode}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
        )
        return fs.readFileSync(await downloaded(file), 'utf8')
      }
      const names = namesOf(lab)
      const full = await fetchFile('full')
      const found = (text: string) => names.filter((name) => mentions(text, name))
      expect(found(full).length).toBeGreaterThan(names.length / 2)
      const sanitized = await fetchFile('sanitized')
      expect(found(sanitized)).toEqual([])
      expect(JSON.parse(sanitized)).toMatchObject({ version: '2.1.0' })
      for (const text of [full, sanitized]) {
        expect(text).not.toContain(lab.credentials.tokenSecret)
        expect(text).not.toContain(lab.pmg[0]!.credentials.auditor.password)
      }
    })
  })
}

/** As a whole word: the name of a cluster may be the beginning of another word. */
const mentions = (text: string, name: string) =>
  new RegExp(`(?<![\\w-])${name.replace(/\W/g, '\\$&')}(?![\\w-])`, 'i').test(text)

function namesOf({ clusters, pbs, pmg, control, credentials }: Lab): string[] {
  const servers = [...clusters.flatMap(({ nodes }) => nodes), ...pbs, ...pmg]
  const guests = control.guests().map(({ name }) => name ?? '')
  return [
    ...clusters.map(({ name }) => name),
    ...servers.flatMap(({ name, address, fingerprint }) => [name, address, fingerprint]),
    ...guests.filter((name) => name.trim() !== ''),
    credentials.tokenId,
  ]
}
