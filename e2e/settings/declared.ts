import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { nodePage } from './node-page.ts'

export const lockedOrigin = 'https://wall.example.org'

/** Needs a server that reads its origin from the environment. */
export function declared(given: Given): void {
  test('[spec 2 §6] what a file or the environment says is in force, and can only be read in the settings', async () => {
    const { estate } = given
    const { clusters, credentials } = estate.lab
    const [first] = clusters[0]!.nodes
    const { tokenId, tokenSecret } = credentials
    const node = { type: 'pve', name: 'fixed', host: first!.url, fingerprint: first!.fingerprint }
    // JSON is also valid YAML.
    const file = {
      settings: { discoveryEnabled: false },
      nodes: [{ ...node, tokenName: tokenId, tokenValue: tokenSecret }],
    }
    await estate.stopServer()
    fs.writeFileSync(path.join(estate.dataDir, 'pulse.yaml'), JSON.stringify(file), { mode: 0o600 })
    await estate.startServer()

    const { page } = await given.open({ path: '/settings/pve' })
    const nodes = nodePage(page)
    await nodes.status('fixed', 'Online').waitFor()
    await nodes.card('fixed').getByText('Fixed by pulse.yaml: change or remove it there.').waitFor()
    expect(await nodes.button('Edit', 'fixed').count()).toBe(0)
    expect(await nodes.button('Delete', 'fixed').count()).toBe(0)
    const discovery = nodes.panel('Discovered servers')
    await discovery.getByText('Fixed by the environment or pulse.yaml', { exact: true }).waitFor()
    expect(await discovery.getByRole('switch', { name: 'Discovery' }).isDisabled()).toBe(true)

    await nodes.section('System').click()
    const origins = page.getByLabel('Allowed origins (CORS)', { exact: true })
    await origins.waitFor()
    expect(await origins.inputValue()).toBe(lockedOrigin)
    expect(await origins.isDisabled()).toBe(true)
    await nodes
      .panel('Access from other sites')
      .getByText('Set by the environment or pulse.yaml. It can only be changed there.', { exact: true })
      .waitFor()
    expect(await page.content()).not.toContain(tokenSecret)
  })
}
