/** The cost of one size of estate. Sizes in MB and kB are decimal; brotli for the browser program. */
export interface Figures {
  scenario: string
  guests: number
  server: ServerFigures
  wire: {
    snapshotBytes: number
    /** one ten-second update to one client of the compact protocol */
    bytesPerUpdate: number
    /** the same with fifty clients */
    bytesPerUpdate50Clients: number
    /** the whole state, as a client of the documented protocol gets it each time */
    fullBytes: number
  }
  latency: { answerToMessageP95Ms: number; answerToMessage50ClientsP95Ms: number }
  machine: {
    /** of the last minute */
    loadBefore: number
    loadDuring: number
    /** of all cores, while the server was measured */
    idlePercent: number
    /** used by other programs than server, lab and bench */
    othersPercent: number
  }
  /** absent without a browser in the scenario */
  browser?: BrowserFigures
  bundle: {
    /** files that the browser loaded before the first row */
    firstPageKB?: number
    totalKB: number
  }
}

export interface ServerFigures {
  /** of one core, while polling with five clients */
  cpuPercent: number
  cpuMsPerCycle: number
  cpuMsPerCyclePer1000Guests: number
  cpu50ClientsPercent: number
  /** with fifty clients of the documented protocol */
  cpu50PlainPercent: number
  /** the maximum in a minute with five clients, after a sign-in */
  rssMB: number
  rss50ClientsMB: number
  rss50PlainMB: number
  /** after these clients have disconnected */
  rssAfterMB: number
  rssPeakMB: number
  /** of the event loop in a minute with five clients */
  longestBlockMs: number
  longestBlock50ClientsMs: number
  /** the wait at the 99th percentile of all moments of that minute */
  waitP99Ms: number
  /** of the busiest source; its budget is 10 + 4 per node */
  listCallsPerSourcePerMinute: number
  listCallBudgetPerSource: number
  probeCallsPerGuestPerMinute: number
  stateP95Ms: number
  statePlainP95Ms: number
  startMs: number
}

export interface BrowserFigures {
  /** script, style, layout and paint of one ten-second cycle */
  mainThreadMsPerUpdate: number
  scriptMsPerUpdate: number
  layoutMsPerUpdate: number
  paintMsPerUpdate: number
  /** frames that reached the compositor in one ten-second cycle */
  framesPerUpdate: number
  /** script, style, layout and paint while sorted by CPU */
  sortedMainThreadMsPerUpdate: number
  /** script, style, layout and paint with trends behind the figures */
  trendsMainThreadMsPerUpdate: number
  /** all work of the main thread, including the browser's own */
  allTasksMsPerUpdate: number
  longestTaskMs: number
  rowsVisibleMs: number
  answerToPixelP95Ms: number
  heapMB: number
  domNodes: number
}

/** Fails on any figure that was not measured, instead of printing zero. */
export function demandMeasured<T extends object>(figures: T): T {
  const missing: string[] = []
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'string') return
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, path ? `${path}.${key}` : key)
    } else if (typeof value !== 'number' || !Number.isFinite(value)) {
      missing.push(path)
    }
  }
  visit(figures, '')
  if (missing.length > 0) throw new Error(`not measured: ${missing.join(', ')}`)
  return figures
}

export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)]!
}

/** The percentile of the wait for the event loop over all moments: a block counts by its duration. */
export function waitPercentile(blocksMs: readonly number[], totalMs: number, part: number): number {
  const sorted = blocksMs.toSorted((a, b) => b - a)
  const allowedMs = totalMs * (1 - part)
  // The moments that wait longer than w ms are the first (block - w) ms of each longer block.
  let sumMs = 0
  for (const [n, blockMs] of sorted.entries()) {
    sumMs += blockMs
    const waitMs = (sumMs - allowedMs) / (n + 1)
    if (waitMs >= (sorted[n + 1] ?? -Infinity)) return Math.max(0, waitMs)
  }
  return Number.NaN
}
