import type { Lab } from '@pulse/lab'
import https from 'node:https'
import type { Page } from 'playwright-core'
import { dayOf } from '../apps/web/src/lib/days.ts'

/** The Backups page as users see it. */
export function backups(page: Page) {
  const nodes = page.getByRole('grid', { name: 'Nodes and backup servers' })
  const table = page.getByRole('treegrid', { name: 'Backups' })
  const protection = page.getByRole('grid', { name: 'Protection of guests' })
  return {
    nodes,
    table,
    rows: table.locator('[data-row^="backup:"]'),
    search: page.getByRole('textbox', { name: 'Search backups' }),
    legend: page.getByRole('list', { name: 'Legend' }).getByRole('listitem'),
    countOf: (name: string) =>
      nodes
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: `${name}, open web interface` }) })
        .getByRole('gridcell')
        .last(),
    guest: (vmid: number) => protection.locator(`[data-row$=":${vmid}"]`),
    /** of the chart, by day, without empty days */
    days: () =>
      page.locator('[data-day]').evaluateAll((bars) =>
        Object.fromEntries(
          bars.flatMap((bar) => {
            const count = Number(/: ([\d,]+) backups?$/.exec(bar.ariaLabel!)![1]!.replaceAll(',', ''))
            return count === 0 ? [] : [[(bar as HTMLElement).dataset['day']!, count]]
          }),
        ),
      ),
    tab: (name: RegExp) => page.getByRole('tab', { name }),
  }
}

export interface LabSnapshot {
  'backup-type': string
  'backup-id': string
  'backup-time': number
  size?: number
  files: unknown[]
  verification?: { state: string }
}

/** A few reused connections. */
const agent = new https.Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false })

async function get<T>(url: string, authorization: string): Promise<T> {
  const text = await new Promise<string>((resolve, reject) => {
    https
      .get(url, { agent, headers: { authorization } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(Buffer.concat(chunks).toString()))
        answer.on('error', reject)
      })
      .on('error', reject)
  })
  return (JSON.parse(text) as { data: T }).data
}

/** The answer of the lab's backup server to the account that Pulse uses. */
export function askServer<T>(lab: Lab, where: string): Promise<T> {
  const [server] = lab.pbs
  const { tokenId, tokenSecret } = server!.credentials
  return get(`${server!.url}/api2/json${where}`, `PBSAPIToken=${tokenId}:${tokenSecret}`)
}

/** The same for the lab's first cluster. */
export function askCluster<T>(lab: Lab, where: string): Promise<T> {
  const { tokenId, tokenSecret } = lab.credentials
  return get(`${lab.clusters[0]!.nodes[0]!.url}/api2/json${where}`, `PVEAPIToken=${tokenId}=${tokenSecret}`)
}

export const snapshotsIn = (lab: Lab, store: string, ns: string) =>
  askServer<LabSnapshot[]>(lab, `/admin/datastore/${store}/snapshots?ns=${encodeURIComponent(ns)}`)

export const storesOf = (lab: Lab) => askServer<{ store: string }[]>(lab, '/admin/datastore')

/** Of all datastores and namespaces, without snapshots that are still being written. */
export async function finishedSnapshots(lab: Lab): Promise<LabSnapshot[]> {
  const found: LabSnapshot[] = []
  for (const { store } of await storesOf(lab)) {
    for (const { ns } of await askServer<{ ns: string }[]>(lab, `/admin/datastore/${store}/namespace`))
      found.push(...(await snapshotsIn(lab, store, ns)).filter(({ size }) => size !== undefined))
  }
  return found
}

interface Kept {
  node: string
  /** epoch seconds */
  at: number
}

/** Files on storages and snapshots of guests. A file on a shared storage counts for its guest's node. */
export async function keptInCluster(lab: Lab): Promise<{ files: Kept[]; snapshots: Kept[] }> {
  const guests = await askCluster<{ vmid: number; node: string; type: string; template?: number }[]>(
    lab,
    '/cluster/resources?type=vm',
  )
  const nodeOf = new Map(guests.map(({ vmid, node }) => [vmid, node]))
  const files = new Map<string, Kept>()
  for (const { name } of lab.clusters[0]!.nodes) {
    const storages = await askCluster<
      { storage: string; type: string; content: string; shared: number; active: number }[]
    >(lab, `/nodes/${name}/storage`)
    for (const { storage, type, content, shared, active } of storages) {
      if (!active || type === 'pbs' || !content.split(',').includes('backup')) continue
      const volumes = await askCluster<{ volid: string; vmid: number; ctime: number }[]>(
        lab,
        `/nodes/${name}/storage/${storage}/content?content=backup`,
      )
      for (const { volid, vmid, ctime } of volumes) {
        const node = (shared ? nodeOf.get(vmid) : undefined) ?? name
        files.set(shared ? volid : `${name} ${volid}`, { node, at: ctime })
      }
    }
  }
  const snapshots: Kept[] = []
  for (const { vmid, node, type } of guests) {
    const list = await askCluster<{ name: string; snaptime?: number }[]>(
      lab,
      `/nodes/${node}/${type}/${vmid}/snapshot`,
    )
    for (const { name, snaptime } of list) if (name !== 'current') snapshots.push({ node, at: snaptime! })
  }
  return { files: [...files.values()], snapshots }
}

/** The number of moments on each day. */
export function countByDay(moments: readonly number[], days: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const at of moments) {
    const day = dayOf(at * 1000)
    if (days.includes(day)) counts[day] = (counts[day] ?? 0) + 1
  }
  return counts
}
