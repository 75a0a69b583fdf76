import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type BrowserContext, type CDPSession, chromium } from 'playwright-core'
import { chromiumFlags } from '../scripts/chromium-flags.ts'
import { account, pause } from './estate.ts'
import type { BrowserFigures } from './figures.ts'
import { inTurn, medianFirstRowsMs } from './first-row.ts'
import { longestTaskMs, paintingIn, traceMainThread } from './trace.ts'
import { firstVisit, ROWS_WITHIN_MS, UPDATE_MS, watchedPage } from './watched-page.ts'

/** A minute, in which trends are loaded once. */
const UPDATES = 6
const SORTED_UPDATES = 2

/** Of two servers, each is measured this often; a machine that becomes busier then slows both. */
const ROUNDS = 3

interface Seen {
  browser: BrowserFigures
  firstPageFiles: string[]
}

/**
 * The Overview in a real browser: the cost of an update, its memory, and the delay until a change is visible. Several
 * servers are measured by turns, in one browser each.
 */
export function measureBrowsers(urls: readonly string[]): Promise<Seen[]> {
  return withContexts(urls, async (contexts) => {
    const firstRowsMs = await medianFirstRowsMs({
      ages: () => Promise.all(urls.map(serverAge)),
      pause,
      navigate: (n) => firstVisit(contexts[n]!, urls[n]!),
    })
    const watched: Awaited<ReturnType<typeof watchedPage>>[] = []
    for (const [n, url] of urls.entries()) watched.push(await watchedPage(contexts[n]!, url))
    const rounds = urls.map((): Awaited<ReturnType<typeof updatesOf>>[] => [])
    for (let round = 0; round < (urls.length > 1 ? ROUNDS : 1); round++)
      for (const n of inTurn(urls.length, round)) rounds[n]!.push(await updatesOf(contexts[n]!, urls[n]!))
    return watched.map(({ firstPageFiles, answerToPixelP95Ms }, n) => ({
      browser: { ...meanOf(rounds[n]!), answerToPixelP95Ms, rowsVisibleMs: firstRowsMs[n]! },
      firstPageFiles,
    }))
  })
}

const updatesOf = async (context: BrowserContext, url: string) => ({
  ...(await barePage(context, url)),
  sortedMainThreadMsPerUpdate: await preparedPage(context, url, sortByCpu, SORTED_UPDATES),
  trendsMainThreadMsPerUpdate: await preparedPage(context, url, switchTrendsOn, UPDATES),
})

/** From the newest answer of a poll to its figures on the Overview: the 95th percentile. */
export const answerToPixelP95Ms = (url: string): Promise<number> =>
  signedIn(url, async (context) => (await watchedPage(context, url, UPDATES)).answerToPixelP95Ms)

/** The mean of each figure. */
function meanOf<T extends object>(all: readonly T[]): T {
  const mean = (key: string) =>
    all.reduce((sum, one) => sum + (one as Record<string, number>)[key]!, 0) / all.length
  return Object.fromEntries(Object.keys(all[0]!).map((key) => [key, mean(key)])) as T
}

/** A browser with a signed-in user for each server; they are closed afterwards. */
function withContexts<T>(
  urls: readonly string[],
  use: (contexts: readonly BrowserContext[]) => Promise<T>,
  opened: readonly BrowserContext[] = [],
): Promise<T> {
  const url = urls[opened.length]
  if (url === undefined) return use(opened)
  return signedIn(url, (context) => withContexts(urls, use, [...opened, context]))
}

/** A browser with a signed-in user; it is closed afterwards. */
export async function signedIn<T>(url: string, use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-bench-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    viewport: { width: 1440, height: 900 },
    args: chromiumFlags,
  })
  try {
    const origin = new URL(url).origin
    const login = await context.request.post(`${origin}/api/login`, { data: account, headers: { origin } })
    if (!login.ok()) throw new Error(`the bench cannot sign in: ${await login.text()}`)
    return await use(context)
  } finally {
    await context.close()
    fs.rmSync(profile, { recursive: true, force: true })
  }
}

/** The uptime of the server in seconds, as it reports it. */
async function serverAge(url: string): Promise<number> {
  const answer = await fetch(`${new URL(url).origin}/api/health`)
  const { uptime } = (await answer.json()) as { uptime: number }
  return uptime
}

/** A page without observers, as for a user. */
async function barePage(context: BrowserContext, url: string) {
  const { page, session } = await openPage(context, url)
  const spent = await measureUpdates(session, UPDATES)
  const heap = await held(session)
  await page.close()
  return { ...spent, ...heap }
}

/** The memory of the page. */
export async function held(session: CDPSession): Promise<Pick<BrowserFigures, 'heapMB' | 'domNodes'>> {
  await session.send('HeapProfiler.collectGarbage')
  const counted = await counters(session)
  return { heapMB: counted['JSHeapUsedSize']! / 1e6, domNodes: counted['Nodes']! }
}

/** Sorted by a changing figure: every update may change the order of all rows. */
const sortByCpu = () => {
  localStorage.clear()
  localStorage.setItem('sortKey', 'cpu')
  localStorage.setItem('sortDirection', 'desc')
  localStorage.setItem('dashboardGroupingMode', 'flat')
}

/** The last hour is loaded and drawn again once a minute. */
const switchTrendsOn = () => {
  localStorage.clear()
  localStorage.setItem('trends', 'true')
}

/** Script, style, layout and paint per update, with these view settings. */
async function preparedPage(
  context: BrowserContext,
  url: string,
  prepare: () => void,
  updates: number,
): Promise<number> {
  const { page, session } = await openPage(context, url, prepare)
  const { mainThreadMsPerUpdate } = await measureUpdates(session, updates)
  await page.close()
  return mainThreadMsPerUpdate
}

async function openPage(context: BrowserContext, url: string, prepare?: () => void) {
  const page = await context.newPage()
  if (prepare) await page.addInitScript(prepare)
  await page.goto(url)
  await page.waitForSelector('[data-row^="guest:"]', { timeout: ROWS_WITHIN_MS })
  await pause(5_000)
  return { page, session: await context.newCDPSession(page) }
}

/** What some updates cost. All is measured over the same updates: a patch more or less in a cycle changes every figure. */
async function measureUpdates(session: CDPSession, updates: number) {
  const before = await counters(session)
  const events = await traceMainThread(session, () => pause(updates * UPDATE_MS))
  const after = await counters(session)
  const per = (name: string) => ((after[name]! - before[name]!) * 1000) / updates
  const scriptMsPerUpdate = per('ScriptDuration')
  const layoutMsPerUpdate = per('LayoutDuration') + per('RecalcStyleDuration')
  const { paintMs, frames } = paintingIn(events)
  const paintMsPerUpdate = paintMs / updates
  return {
    mainThreadMsPerUpdate: scriptMsPerUpdate + layoutMsPerUpdate + paintMsPerUpdate,
    scriptMsPerUpdate,
    layoutMsPerUpdate,
    paintMsPerUpdate,
    framesPerUpdate: frames / updates,
    allTasksMsPerUpdate: per('TaskDuration'),
    longestTaskMs: longestTaskMs(events),
  }
}

/** Metrics of the browser for a page, by name; durations in seconds. */
export async function counters(session: CDPSession): Promise<Record<string, number>> {
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}
