import type { DockerReport } from '@pulse/contract'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import type { Estate } from './estate.ts'
import { journeys } from './journey.ts'

/** The server reads the disks of one node after the other. */
const firstMs = 90_000
const project = 'monitoring'
const names = [
  'monitoring-node-exporter-1',
  'monitoring-grafana-1',
  'monitoring-prometheus-1',
  'home-homeassistant-1',
]

async function haveContainers({ call }: Estate) {
  await call('POST', '/api/system/settings/update', { pmgPollingInterval: 10 })
  await call('POST', '/api/agents/docker/report', {
    agent: { id: 'dock1', version: '5.1.0', intervalSeconds: 30 },
    host: { hostname: 'dock1', name: 'dock1', totalCpu: 4, totalMemoryBytes: 2 ** 34, uptimeSeconds: 86_400 },
    containers: names.map((name) => ({
      id: Buffer.from(name).toString('hex').padEnd(64, '0'),
      name,
      image: 'grafana/grafana:12.2.0',
      state: 'running',
      status: 'Up 2 hours',
      cpuPercent: 12.5,
      memoryUsageBytes: 2 ** 30,
      memoryLimitBytes: 2 ** 32,
      memoryPercent: 25,
      restartCount: 12,
      exitCode: 0,
      labels: { 'com.docker.compose.project': project },
    })),
    timestamp: new Date().toISOString(),
  } satisfies DockerReport)
}

journeys(
  'where the window is narrow',
  (given) => {
    test.each([640, 700, 820, 1024])(
      'at %i px the other controls of the backup table share the line of the back button',
      async (width) => {
        const { page } = await given.open({ path: '/proxmox/backups', width })
        const controls = ['Reset', 'Relative times', 'Dense rows'].map((name) =>
          page.getByRole('button', { name, exact: true }),
        )
        await controls[0]!.waitFor()
        const tops = await Promise.all(controls.map(topOf))
        expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8)
      },
    )

    test('[spec 1 §2] at 820 px the table of disks shows all of its columns', async () => {
      const { page } = await given.open({ path: '/proxmox/storage?tab=disks', width: 820 })
      const grid = page.getByRole('treegrid', { name: 'Physical disks' })
      await grid
        .getByRole('gridcell')
        .first()
        .waitFor({ timeout: within(firstMs) })
      const size = grid.getByRole('columnheader', { name: 'Size', exact: true })
      expect(await rightOf(size)).toBeLessThanOrEqual(820 - 16)
    })

    test.each([820, 1440])(
      'at %i px no word of the state of a guest is cut off without a substitute',
      async (width) => {
        const { page } = await given.open({
          path: '/proxmox/backups?tab=protection',
          width,
          height: 3_000,
        })
        await page
          .getByRole('grid', { name: 'Protection of guests' })
          .getByText('No backup job', { exact: true })
          .first()
          .waitFor({ timeout: within(firstMs) })
        await expect.poll(() => cutWords(page)).toEqual([])
      },
    )

    test.each([820, 380])(
      'at %i px the project of a container shrinks before its name is cut off',
      async (width) => {
        const { page } = await given.open({ path: '/docker', width })
        await page.getByText(names[0]!, { exact: true }).waitFor()
        for (const name of names) {
          // an ellipsis appears when the text lacks a hundredth of a pixel
          const missing = await page.getByText(name, { exact: true }).evaluate((span) => {
            const range = document.createRange()
            range.selectNodeContents(span)
            return range.getBoundingClientRect().width - span.getBoundingClientRect().width
          })
          expect(missing, name).toBeLessThan(0.01)
        }
      },
    )

    test.each([
      '/proxmox/storage',
      '/proxmox/storage?tab=disks',
      '/proxmox/backups',
      '/proxmox/backups?tab=protection',
      '/docker',
    ])('at 380 px the hint in an empty search box is whole: %s', async (path) => {
      const { page } = await given.open({ path, width: 380 })
      const box = page.getByRole('textbox', { name: /^Search/ })
      await box.waitFor({ timeout: within(firstMs) })
      expect(await box.evaluate(hintBeyond)).toBeLessThanOrEqual(0)
    })

    test('at 380 px a figure of a mail gateway keeps its label and its unit on one line', async () => {
      const { page } = await given.open({ path: '/proxmox/mail', width: 380, height: 3_000 })
      const facts = page.getByRole('list', { name: 'Domains' }).first().locator('p').nth(1)
      await facts.waitFor({ timeout: within(firstMs) })
      for (const list of ['Cluster Nodes', 'Domains'])
        expect(await brokenFacts(page.getByRole('list', { name: list }).first())).toEqual([])
    })
  },
  {
    lab: { nodes: 3, guests: 40, pbs: 1, pmg: 2, pmgCluster: true },
    everySwitch: true,
    prepare: haveContainers,
  },
)

const topOf = (control: Locator) => control.evaluate((one) => one.getBoundingClientRect().top)
const rightOf = (control: Locator) => control.evaluate((one) => one.getBoundingClientRect().right)

/** px by which the placeholder is longer than its input */
function hintBeyond(element: Element): number {
  const box = element as HTMLInputElement
  // the size for touch screens: browsers of phones zoom in on a smaller font
  box.style.fontSize = '16px'
  const style = getComputedStyle(box)
  const pen = document.createElement('canvas').getContext('2d')!
  pen.font = `${style.fontSize} ${style.fontFamily}`
  const room = box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
  return Math.ceil(pen.measureText(box.placeholder).width - room)
}

/** Words next to a guest that overflow their cell. */
const cutWords = (page: Page) =>
  page
    .getByRole('grid', { name: 'Protection of guests' })
    .getByText(/^(No backup|Failed|Verification failed|Unverified|No backup job|Old)$/)
    .evaluateAll((words) =>
      words
        .filter((word) => {
          const cell = word.closest('[role=gridcell]')
          if (!cell) return false
          const { right, top } = word.getBoundingClientRect()
          const box = cell.getBoundingClientRect()
          const isShown = top < box.bottom - 1
          return isShown && right > box.right + 0.5
        })
        .map((word) => word.textContent),
    )

/** Facts that wrap to the next line, and lines that begin with a separator. */
const brokenFacts = (list: Locator) =>
  list.locator('p.text-xs').evaluateAll((lines) =>
    lines.flatMap((line) => {
      const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
      const letters: { letter: string; top: number }[] = []
      for (let node = text.nextNode(); node; node = text.nextNode()) {
        if (!node.parentElement!.checkVisibility()) continue
        for (let at = 0; at < node.textContent!.length; at++) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          letters.push({
            letter: node.textContent![at]!,
            top: Math.round(range.getBoundingClientRect().top),
          })
        }
      }
      const whole = letters.map(({ letter }) => letter).join('')
      let from = 0
      return whole.split('·').flatMap((fact) => {
        const own = letters.slice(from, from + fact.length).filter(({ letter }) => letter.trim() !== '')
        const dot = letters[from + fact.length]
        from += fact.length + 1
        const first = own[0]!
        const isBroken = own.some(({ top }) => Math.abs(top - first.top) > 6)
        const isApart = dot !== undefined && Math.abs(dot.top - own.at(-1)!.top) > 6
        return isBroken || isApart ? [fact.trim()] : []
      })
    }),
  )
