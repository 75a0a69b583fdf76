import type { BrowserContext, Page } from 'playwright-core'
import { pause } from './estate.ts'
import { percentile } from './figures.ts'

const WATCHED_UPDATES = 4
export const UPDATE_MS = 10_000
/** Other programs may keep the machine busy. */
export const ROWS_WITHIN_MS = 120_000

interface PageNotes {
  firstRowMs?: number
  /** scripts and styles loaded by then */
  files?: string[]
  delaysMs: number[]
}

/** Opens the Overview with an empty cache; ms until its first row. */
export async function firstVisit(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.addInitScript(observePage)
  await page.goto(url)
  await page.waitForSelector('[data-row^="guest:"]', { timeout: ROWS_WITHIN_MS })
  const { firstRowMs } = await notes(page)
  await page.close()
  return firstRowMs ?? Number.NaN
}

/** A page with our observers: it gives their results, but not the page's cost, because observers cost time too. */
export async function watchedPage(context: BrowserContext, url: string, updates = WATCHED_UPDATES) {
  const page = await context.newPage()
  await page.addInitScript(observePage)
  await page.goto(url)
  await page.waitForSelector('[data-row^="guest:"]', { timeout: ROWS_WITHIN_MS })
  await pause(updates * UPDATE_MS)
  const { files, delaysMs } = await notes(page)
  await page.close()
  return {
    answerToPixelP95Ms: percentile(delaysMs, 0.95),
    firstPageFiles: files ?? [],
  }
}

/** Runs in the page: records the first row, and the paint time of the newest answer. */
function observePage() {
  const notes: PageNotes = { delaysMs: [] }
  ;(globalThis as unknown as { benchNotes: PageNotes }).benchNotes = notes
  let seen: number | undefined
  const watch = () => {
    const footer = document.querySelector('[data-last-answer]')
    if (!footer) return
    // Counts only answers that changed figures; the page shows others later.
    let figuresAt = -Infinity
    const figures = new MutationObserver(() => void (figuresAt = performance.now()))
    for (const table of document.querySelectorAll('[role="grid"], [role="treegrid"]')) {
      figures.observe(table, { subtree: true, childList: true, characterData: true, attributes: true })
    }
    new MutationObserver(() => {
      const shown = Number(footer.getAttribute('data-last-answer'))
      if (!shown || shown === seen) return
      const isFirst = seen === undefined || performance.now() - figuresAt > 50
      seen = shown
      // The frame after the next one begins when this change is painted.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (!isFirst) notes.delaysMs.push(Date.now() - shown)
        }),
      )
    }).observe(footer, { attributes: true })
  }
  const first = new MutationObserver(() => {
    if (!document.querySelector('[data-row^="guest:"]')) return
    notes.firstRowMs = performance.now()
    notes.files = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname.slice(1))
      .filter((name) => /\.(js|css)$/.test(name))
    first.disconnect()
    watch()
  })
  first.observe(document, { childList: true, subtree: true })
}

const notes = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { benchNotes: PageNotes }).benchNotes)
