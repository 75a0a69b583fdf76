import type { DockerReport } from '@pulse/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { amissIn, type NameHeads } from './cells.ts'
import type { Estate } from './estate.ts'
import { journeys } from './journey.ts'

const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1
const widths = [640, 700, 768, 820, 900, 1024, 1088, 1280]
/** font size in px, and the window widths tested with it */
const looks: readonly [number, readonly number[]][] = [
  [16, widths],
  [24, isLong ? widths : [640, 820, 1088]],
]
/** The server reads storages and disks of each node one after the other. */
const firstMs = 90_000

interface TablePage {
  path: string
  /** each table exists and has rows */
  tables: NameHeads
}

const pages: readonly TablePage[] = [
  { path: '/proxmox/overview', tables: { Nodes: 'Node', Guests: 'Name' } },
  { path: '/proxmox/storage', tables: { Nodes: 'Node', 'Storage pools': 'Storage' } },
  { path: '/proxmox/storage?tab=disks', tables: { Nodes: 'Node', 'Physical disks': 'Device' } },
  { path: '/proxmox/backups', tables: { 'Nodes and backup servers': 'Node / PBS', Backups: 'Name' } },
  {
    path: '/proxmox/backups?tab=protection',
    tables: {
      'Nodes and backup servers': 'Node / PBS',
      'Protection of guests': 'Name',
      'Failed runs and jobs': 'What',
      'Replication jobs': 'Guest',
    },
  },
  { path: '/proxmox/mail', tables: { 'Cluster Nodes': 'Name', Domains: 'Domain' } },
  { path: '/docker', tables: { Containers: 'Container' } },
  { path: '/alerts/overview', tables: { 'Active alerts': undefined } },
  { path: '/alerts/history', tables: { 'Alert history': 'Resource' } },
  {
    path: '/alerts/thresholds/proxmox',
    tables: {
      'Proxmox Nodes': 'Name',
      'PBS Servers': 'Name',
      'VMs & Containers': 'Name',
      'Storage Devices': 'Name',
      'PBS Datastores': 'Name',
    },
  },
  { path: '/alerts/thresholds/mail-gateway', tables: { 'Mail Gateways': 'Name' } },
  {
    path: '/alerts/thresholds/docker',
    tables: { 'Docker Hosts': 'Name', 'Docker Containers': 'Name' },
  },
]

const filled = (page: Page, label: string) =>
  page
    .locator(`:is([role=grid], [role=treegrid], table)[aria-label="${label}"]`)
    .first()
    .locator('[role=gridcell], td')
    .first()
    .waitFor({ timeout: within(firstMs) })

async function haveContainers({ call }: Estate) {
  await call('POST', '/api/alerts/activate')
  await call('POST', '/api/system/settings/update', { pmgPollingInterval: 10 })
  await call('POST', '/api/agents/docker/report', {
    agent: { id: 'dock1', version: '5.1.0', intervalSeconds: 30 },
    host: { hostname: 'dock1', name: 'dock1', totalCpu: 4, totalMemoryBytes: 2 ** 34, uptimeSeconds: 86_400 },
    containers: ['web', 'nextcloud-cron-1'].map((name) => ({
      id: Buffer.from(name).toString('hex').padEnd(64, '0'),
      name,
      image: 'registry.example.com/opensearchproject/opensearch:2.19.1',
      state: 'running',
      status: 'Up 2 hours',
      cpuPercent: 12.5,
      memoryUsageBytes: 2 ** 30,
      memoryLimitBytes: 2 ** 32,
      memoryPercent: 25,
      restartCount: 12,
      exitCode: 0,
    })),
    timestamp: new Date().toISOString(),
  } satisfies DockerReport)
}

journeys(
  'tables',
  (given) => {
    test.each(pages)(
      '[spec 3 §2] whatever the window and the letters, nothing in a table overlaps, no title or control is cut, names have room: $path',
      async ({ path, tables }) => {
        const { page } = await given.open({ path, height: 4_000 })
        for (const label of Object.keys(tables)) await filled(page, label)
        for (const [size, wide] of looks) {
          await page.evaluate((px) => {
            document.documentElement.style.fontSize = `${px}px`
          }, size)
          for (const width of wide) {
            await page.setViewportSize({ width, height: 4_000 })
            await page.evaluate(() => window.dispatchEvent(new Event('resize')))
            await expect
              .poll(() => amissIn(page, tables), { message: `${width} px, letters of ${size} px` })
              .toEqual([])
          }
        }
      },
      within(180_000),
    )
  },
  {
    lab: { nodes: 3, guests: 40, pbs: 1, pmg: 2, pmgCluster: true, ceph: true },
    everySwitch: true,
    prepare: haveContainers,
  },
)
