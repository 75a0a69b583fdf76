import type { Page } from 'playwright-core'
import { held, signedIn } from './browser.ts'
import { pause } from './estate.ts'
import type { BackupFigures } from './backups-report.ts'
import { longestTaskMs, traceMainThread } from './trace.ts'

const ROW = '[data-row^="backup:"]'
const LIMIT_MS = 60_000
const SETTLE_MS = 5_000
/** Two cycles of the small cluster beside the backups. */
const OPEN_MS = 20_000

/** The Backups page in a real browser: the cost of opening, showing and searching it. */
export async function measureBackupsPage(url: string, backups: number): Promise<BackupFigures['page']> {
  return signedIn(url, async (context) => {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    let rowsVisibleMs = Number.NaN
    const loading = await traceMainThread(session, async () => {
      await page.goto(`${url}/proxmox/backups`)
      await page.waitForSelector(ROW, { timeout: LIMIT_MS })
      rowsVisibleMs = await page.evaluate(() => performance.now())
      await complete(page, backups)
      await pause(SETTLE_MS)
    })
    const open = await traceMainThread(session, () => pause(OPEN_MS))
    const used = await traceMainThread(session, () => use(page))
    const holds = await held(session)
    return {
      rowsVisibleMs,
      longestLoadTaskMs: longestTaskMs(loading),
      longestOpenTaskMs: longestTaskMs(open),
      longestUsedTaskMs: longestTaskMs(used),
      ...holds,
    }
  })
}

/** The list has all rows: the table shows their number. */
async function complete(page: Page, backups: number): Promise<void> {
  await page.waitForFunction(
    (least) =>
      [...document.querySelectorAll('[aria-rowcount]')].some(
        (table) => Number(table.getAttribute('aria-rowcount')) >= least,
      ),
    backups,
    { timeout: LIMIT_MS },
  )
}

/** Sorts, scrolls to the end and back, and searches. */
async function use(page: Page): Promise<void> {
  const table = page.locator('[role="grid"], [role="treegrid"]').filter({ has: page.locator(ROW) })
  for (const name of ['Size', 'Size', 'Name', 'Time']) {
    await table.getByRole('columnheader').getByRole('button', { name, exact: true }).click()
    await settled(page)
  }
  await page.mouse.wheel(0, 200_000)
  await settled(page)
  await page.mouse.wheel(0, -1e7)
  await settled(page)
  for (const key of '10') {
    await page.keyboard.press(key)
    await settled(page)
  }
  await page.keyboard.press('Escape')
  await settled(page)
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
