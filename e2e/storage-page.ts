import type { Locator, Page } from 'playwright-core'
import { within } from '../scripts/test-limits.ts'
import type { Estate } from './estate.ts'

/** The server reads storages, pools and disks of each node one after the other. */
export const firstMs = 90_000

const poolColumns = [
  'Storage',
  'Type',
  'Content',
  'Status',
  'Usage',
  'Free',
  'Total',
  'Full in',
  'Shared',
] as const
export const diskColumns = [
  'Node',
  'Device',
  'Model',
  'Type',
  'FS',
  'Health',
  'SSD Life',
  'Temp',
  'Size',
] as const

/** The Storage page as users find their way in it. */
export function storagePage(page: Page) {
  const pools = page.getByRole('treegrid', { name: 'Storage pools', exact: true })
  const disks = page.getByRole('treegrid', { name: 'Physical disks', exact: true })
  const nodes = page.getByRole('grid', { name: 'Nodes', exact: true })
  const pool = (node: string, name: string) =>
    pools.locator(`[data-row^="pool:"][data-row$=":${node === '' ? '' : `${node}:`}${name}"]`)
  const cellsOf = (row: Locator) => row.getByRole('gridcell').allInnerTexts()
  return {
    pools,
    disks,
    node: (name: string) => nodes.locator('[data-row]').filter({ hasText: name }).first(),
    pool,
    note: (node: string, name: string) => pools.locator(`[data-row^="note:"][data-row$=":${node}:${name}"]`),
    details: pools.locator('[data-row^="details:"]'),
    /** by column header */
    async figures(row: Locator, columns: readonly string[] = poolColumns) {
      const texts = await cellsOf(row)
      return Object.fromEntries(
        columns.map((column, at) => [column, texts[at]?.trim().replaceAll(/\s+/g, ' ')]),
      )
    },
    disk: (device: string) => disks.locator('[data-row]').filter({ hasText: device }),
    async openDisks() {
      await page.getByRole('tab', { name: 'Physical Disks' }).click()
      await disks.waitFor({ timeout: within(firstMs) })
    },
    search: (what: string) => page.getByRole('textbox', { name: `Search ${what}` }),
  }
}

/** Adds the lab to the server, with disk polling enabled. */
export async function connectWithDisks({ lab, call }: Estate) {
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  for (const { name, nodes } of lab.clusters) {
    const { url: host, fingerprint } = nodes[0]!
    const body = { type: 'pve', name, host, fingerprint, tokenName, tokenValue, monitorPhysicalDisks: true }
    await call('POST', '/api/config/nodes', body)
  }
}
