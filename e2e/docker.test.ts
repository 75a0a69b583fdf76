import type { DockerReport } from '@pulse/contract'
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { haveSamples } from './have-samples.ts'
import { expectInk, inkIn } from './ink.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const GiB = 1024 ** 3

type Container = DockerReport['containers'][number]

const container = (name: string, change: Partial<Container> = {}): Container => ({
  id: Buffer.from(name).toString('hex').padEnd(64, '0'),
  name,
  image: 'nginx:1.29',
  state: 'running',
  status: 'Up 2 hours',
  cpuPercent: 12.5,
  memoryUsageBytes: GiB,
  memoryLimitBytes: 4 * GiB,
  memoryPercent: 25,
  restartCount: 0,
  exitCode: 0,
  createdAt: '2026-01-01T10:00:00Z',
  ...change,
})

const shop = { 'com.docker.compose.project': 'shop' }

journeys(
  'the Docker page',
  (given) => {
    const report = (hostname: string, containers: Container[]) =>
      given.estate.call('POST', '/api/agents/docker/report', {
        agent: { id: hostname, version: '5.1.0', intervalSeconds: 30 },
        host: {
          hostname,
          name: hostname,
          totalCpu: 4,
          totalMemoryBytes: 16 * GiB,
          uptimeSeconds: 3 * 86_400,
        },
        containers,
        timestamp: new Date().toISOString(),
      } satisfies DockerReport)
    const reportBoth = async () => {
      await report('dock1', [
        container('web', { labels: shop, ports: [{ privatePort: 80, publicPort: 8080, protocol: 'tcp' }] }),
        container('db', { labels: shop, cpuPercent: 7.5, restartCount: 3, image: 'postgres:17' }),
      ])
      await report('dock2', [container('cache', { state: 'exited', status: 'Exited (137)', exitCode: 137 })])
    }

    test('[spec 1 §2] hosts that report have their tab, and each figure is that of the report', async () => {
      const { page } = await given.open()
      const tab = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Docker', exact: true })
      await expect.poll(() => tab.getAttribute('href')).toBe('/settings/docker')
      await reportBoth()
      await expect.poll(() => tab.getAttribute('href')).toBe('/docker')
      await tab.click()
      const table = page.getByRole('treegrid', { name: 'Containers' })
      const row = (name: string) => table.locator('[data-row^="container:"]').filter({ hasText: name })
      await row('web').waitFor()
      const cells = async (name: string) =>
        (await row(name).getByRole('gridcell').allInnerTexts()).map((text) =>
          text.trim().replaceAll(/\s+/g, ' '),
        )
      expect((await cells('web')).slice(1)).toEqual(['Running', '12.5%', '25.0% 1 GB', '0'])
      expect((await cells('cache')).slice(1)).toEqual(['Exited (137)', '—', '—', '0'])
      const head = table.locator('[data-row^="host:"]').filter({ hasText: 'dock1' })
      expect(await head.innerText()).toMatch(/2 of 2 running[^]*20\.0%[^]*12\.5%[^]*2 GB of 16 GB/)

      await row('web').getByText('web').click()
      await table.getByText('8080 → 80/tcp').waitFor()
      await report('dock1', [container('web', { state: 'exited', status: 'Exited (1)', exitCode: 1 })])
      await expectText(row('web')).toContain('Exited (1)')
      await row('db').waitFor({ state: 'detached' })
    })

    test('[M 3.2] trends are behind CPU and memory of the hosts in the sidebar, and move nothing', async () => {
      await reportBoth()
      await haveSamples(given.estate, 'dockerHosts')
      const { page } = await given.open({ path: '/docker', width: 1440, height: 900 })
      const host = page.getByRole('region', { name: 'Hosts' }).getByRole('button', { name: /^dock1/ })
      const figure = (text: string) => host.getByText(text)
      await figure('CPU').waitFor()
      const before = await figure('CPU').boundingBox()
      await page.getByRole('button', { name: 'Trends', exact: true }).click()
      await expectInk(page, host).toBeGreaterThan(0)
      expect(await inkIn(page, host.getByText('Online')), 'not behind its state').toBe(0)
      expect(await inkIn(page, host.getByText('dock1')), 'not behind its name').toBe(0)
      expect(await figure('CPU').boundingBox()).toEqual(before)
    })

    test.each(screens)(
      '[design 10] $title: no sideways scrolling, and nothing keeps people out',
      async (screen) => {
        await reportBoth()
        const { page } = await given.open({ path: '/docker', ...screen })
        await page.getByText('web', { exact: true }).waitFor()
        await expectNoSideways(page)
        await examine(page, `docker-${screen.title}`)
        await page
          .getByRole('region', { name: 'Hosts' })
          .getByRole('button', { name: /^dock2/ })
          .click()
        await page.getByText('web', { exact: true }).waitFor({ state: 'detached' })
        await expectNoSideways(page)
      },
    )
  },
  { connected: false },
)
