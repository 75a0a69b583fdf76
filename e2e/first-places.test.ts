import type { DockerReport } from '@pulse/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { screens } from './screens.ts'

const tops = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => one.closest('section')!.getBoundingClientRect().top))

const GiB = 1024 ** 3
const NAMES = ['web', 'db', 'cache', 'queue', 'search']

/** A container host with five containers; two have exited. */
const report = (hostname: string): DockerReport => ({
  agent: { id: hostname, version: '5.1.0', intervalSeconds: 30 },
  host: { hostname, name: hostname, totalCpu: 4, totalMemoryBytes: 16 * GiB, uptimeSeconds: 3 * 86_400 },
  containers: NAMES.map((name, at) => ({
    id: Buffer.from(hostname + name)
      .toString('hex')
      .padEnd(64, '0'),
    name,
    image: 'nginx:1.29',
    state: at < 3 ? 'running' : 'exited',
    status: 'Up 2 hours',
    cpuPercent: 12.5,
    memoryUsageBytes: GiB,
    memoryLimitBytes: 4 * GiB,
    memoryPercent: 25,
    restartCount: 0,
    exitCode: at < 3 ? 0 : 137,
    createdAt: '2026-01-01T10:00:00Z',
  })),
  timestamp: new Date().toISOString(),
})

/** Where each part of the Docker page begins: summary, hosts, filters, table. */
const dockerParts = (page: Page) =>
  page.evaluate(() => {
    const top = (selector: string) => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return box && { top: Math.round(box.top), left: Math.round(box.left), width: Math.round(box.width) }
    }
    return {
      hosts: top('[data-skeleton="hosts"], [aria-label="Hosts"] section'),
      filters: top('#container-filters'),
      table: top('[data-skeleton="table"], section:has([role=treegrid], [role=grid])'),
    }
  })

/** Loads the page without data until the test releases the answer. */
async function withoutData(page: Page) {
  const answer = Promise.withResolvers<void>()
  await page.routeWebSocket('**/ws', async (socket) => {
    await answer.promise
    socket.connectToServer()
  })
  await page.reload()
  await page
    .locator('[data-skeleton]')
    .first()
    .waitFor({ timeout: within(30_000) })
  return answer.resolve
}

journeys('before the first figures', (given) => {
  test.each([...screens, { title: 'light-820', width: 820, height: 900, dark: false }])(
    'the Docker page has its own layout: hosts, filters and table stand where they will ($title)',
    async (screen) => {
      for (const host of ['dock1', 'dock2', 'dock3', 'dock4', 'dock5'])
        await given.estate.call('POST', '/api/agents/docker/report', report(host))
      const { page } = await given.open({ ...screen, path: '/docker' })
      const row = page.getByRole('row', { name: /cache/ }).first()
      await row.waitFor()
      const loadData = await withoutData(page)
      const before = await dockerParts(page)
      loadData()
      await row.waitFor()
      expect(await dockerParts(page)).toEqual(before)
      expect(before.filters).toBeDefined()
    },
  )

  test.each(screens)(
    'the Overview has its own layout: no table moves when data comes ($title)',
    async (screen) => {
      const { page } = await given.open(screen)
      await overview(page).ready()
      const loadData = await withoutData(page)
      const before = await tops(page, '[data-skeleton]')
      loadData()
      await overview(page).ready()
      expect(await tops(page, '[role=grid], [role=treegrid]')).toEqual(before)
    },
  )
})
