import type { BrowserContext, Page } from 'playwright-core'
import type { AlertHistoryFigures, AlertPage } from './alert-history-report.ts'
import { held, signedIn } from './browser.ts'
import { pause } from './estate.ts'
import { longestTaskMs, traceMainThread } from './trace.ts'

const LIMIT_MS = 60_000
const SETTLE_MS = 5_000
/** Two cycles. */
const OPEN_MS = 20_000

interface Visit {
  path: string
  table: string
  /** the minimum number of rows of a loaded page */
  rows: number
  /** the button that shows all of them */
  prepare?: (page: Page) => Promise<void>
  use: (page: Page) => Promise<void>
}

interface Size {
  history: number
  guests: number
  open: number
}

/** The alert pages in a real browser: the cost of opening, showing and using them. */
export async function visitAlertPages(url: string, size: Size): Promise<AlertHistoryFigures['pages']> {
  const { history, guests, open } = size
  return signedIn(url, async (context) => ({
    history: await measure(context, url, {
      path: '/alerts/history',
      table: 'Alert history',
      rows: history,
      prepare: (page) => choose(page, '30d', 'Period'),
      use: useHistory,
    }),
    thresholds: await measure(context, url, {
      path: '/alerts/thresholds/proxmox',
      table: 'VMs & Containers',
      rows: guests,
      use: useThresholds,
    }),
    overview: await measure(context, url, {
      path: '/alerts/overview',
      table: 'Active alerts',
      rows: open,
      use: useOverview,
    }),
  }))
}

async function measure(context: BrowserContext, url: string, visit: Visit): Promise<AlertPage> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  let rowsVisibleMs = Number.NaN
  const loading = await traceMainThread(session, async () => {
    await page.goto(url + visit.path)
    await page.locator(`[aria-label="${visit.table}"] [data-row]`).first().waitFor({ timeout: LIMIT_MS })
    rowsVisibleMs = await page.evaluate(() => performance.now())
    await visit.prepare?.(page)
    await complete(page, visit)
    await pause(SETTLE_MS)
  })
  const open = await traceMainThread(session, () => pause(OPEN_MS))
  const used = await traceMainThread(session, () => visit.use(page))
  const holds = await held(session)
  await page.close()
  return {
    rowsVisibleMs,
    longestLoadTaskMs: longestTaskMs(loading),
    longestOpenTaskMs: longestTaskMs(open),
    longestUsedTaskMs: longestTaskMs(used),
    ...holds,
  }
}

/** The list has all rows: the table shows their number. */
const complete = (page: Page, { table, rows }: Visit) =>
  page.waitForFunction(
    ([label, least]) =>
      Number(
        document
          .querySelector(`[aria-label="${label as string}"][aria-rowcount]`)
          ?.getAttribute('aria-rowcount'),
      ) >= (least as number),
    [table, rows] as const,
    { timeout: LIMIT_MS },
  )

async function useHistory(page: Page): Promise<void> {
  await scroll(page)
  for (const name of ['Critical', 'Warning']) await choose(page, name, 'Severity')
  await choose(page, 'All', 'Severity')
  for (const bucket of [29, 15, 15]) {
    await page.locator(`[data-bucket="${bucket}"]`).click()
    await settled(page)
  }
  await search(page, 'web1')
  for (const name of ['24h', '7d', '30d']) await choose(page, name, 'Period')
}

async function useThresholds(page: Page): Promise<void> {
  await scroll(page)
  await search(page, 'web1')
  const everyGuest = page.getByRole('switch', { name: 'Alerts of all: VMs & Containers' })
  for (let n = 0; n < 2; n++) {
    await everyGuest.click()
    await settled(page)
  }
  await page.getByRole('button', { name: /^CPU % of VMs & Containers, global defaults/ }).click()
  await page.keyboard.type('75')
  await page.keyboard.press('Enter')
  await settled(page)
}

async function useOverview(page: Page): Promise<void> {
  await scroll(page)
  await page
    .getByRole('button', { name: /^Acknowledge .*:/ })
    .first()
    .click()
  await settled(page)
  await page.getByRole('button', { name: /^Acknowledge all/ }).click()
  await settled(page)
  for (const name of ['Hide acknowledged', 'Show acknowledged']) {
    await page.getByRole('button', { name }).click()
    await settled(page)
  }
}

async function choose(page: Page, name: string, group: 'Period' | 'Severity'): Promise<void> {
  await page.getByRole('radiogroup', { name: group }).getByText(name, { exact: true }).click()
  await settled(page)
}

/** Letter by letter, as a user types. */
async function search(page: Page, text: string): Promise<void> {
  for (const key of text) {
    await page.keyboard.press(key)
    await settled(page)
  }
  await page.keyboard.press('Escape')
  await settled(page)
}

/** One screen at a time, then to the end, and back. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 600)
  for (let n = 0; n < 10; n++) {
    await page.mouse.wheel(0, 1_000)
    await settled(page)
  }
  for (const far of [1e7, -1e7]) {
    await page.mouse.wheel(0, far)
    await settled(page)
  }
}

/** Waits two frames, so that deferred work is done. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 300))),
      ),
  )
}
