import type { AgentFigures } from './agents-report.ts'
import { counters, held, signedIn } from './browser.ts'
import { pause } from './estate.ts'
import { longestTaskMs, paintingIn, traceMainThread } from './trace.ts'

const ROW = '[data-row^="container:"]'
const SETTLE_MS = 10_000
const OPEN_MS = 30_000
const per10s = 10_000 / OPEN_MS

/** The Docker tab in a real browser, while all agents report. */
export async function measureDockerPage(url: string): Promise<AgentFigures['page']> {
  return signedIn(url, async (context) => {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto(`${url}/docker`)
    await page.waitForSelector(ROW, { timeout: 60_000 })
    const rowsVisibleMs = await page.evaluate(() => performance.now())
    await pause(SETTLE_MS)
    const before = await counters(session)
    const events = await traceMainThread(session, () => pause(OPEN_MS))
    const after = await counters(session)
    const spentMs = (name: string) => (after[name]! - before[name]!) * 1000
    const worked = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].reduce(
      (sum, name) => sum + spentMs(name),
      0,
    )
    return {
      rowsVisibleMs,
      mainThreadMsPer10s: (worked + paintingIn(events).paintMs) * per10s,
      longestTaskMs: longestTaskMs(events),
      ...(await held(session)),
    }
  })
}
