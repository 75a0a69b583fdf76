/** What one size of estate costs. Sizes in MB and kB are decimal; brotli for what the browser loads. */
export interface Figures {
  guests: number
  nodes: number
  server: {
    /** of one core, while polling with five clients */
    cpuPercent: number
    cpuMsPerCycle: number
    cpuMsPerCyclePer1000Guests: number
    rssMB: number
    /** with fifty clients */
    rss50ClientsMB: number
    loopP99Ms: number
    listCallsPerNodePerMinute: number
    /** of the busiest cluster, beside its budget of 10 + 4 per node */
    listCallsPerClusterPerMinute: number
    listCallBudgetPerCluster: number
    probeCallsPerVmPerMinute: number
    stateP95Ms: number
    startMs: number
  }
  wire: {
    snapshotBytes: number
    /** one ten-second update to one client of the compact protocol */
    bytesPerUpdate: number
    /** the same with fifty clients */
    bytesPerUpdate50Clients: number
    /** the whole state, as a client of the documented protocol gets it each time */
    fullBytes: number
    full50ClientsCpuPercent: number
  }
  latency: { answerToMessageP95Ms: number; answerToMessage50ClientsP95Ms: number; answerToPixelP95Ms: number }
  browser: {
    /** script, style, layout and paint of one ten-second cycle */
    mainThreadMsPerUpdate: number
    scriptMsPerUpdate: number
    layoutMsPerUpdate: number
    paintMsPerUpdate: number
    /** everything the main thread did, the browser's own work included */
    allTasksMsPerUpdate: number
    longestTaskMs: number
    rowsVisibleMs: number
    heapMB: number
    domNodes: number
  }
  bundle: { entryKB: number; totalKB: number }
}

/** Fails on any figure that is not a measured number: nothing is printed as zero that was not seen. */
export function demandMeasured(figures: Partial<Figures>): Figures {
  const missing: string[] = []
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, path ? `${path}.${key}` : key)
    } else if (typeof value !== 'number' || !Number.isFinite(value)) {
      missing.push(path)
    }
  }
  visit(figures, '')
  for (const part of ['server', 'wire', 'latency', 'browser', 'bundle'] as const) {
    if (!figures[part]) missing.push(part)
  }
  if (missing.length > 0) throw new Error(`not measured: ${missing.join(', ')}`)
  return figures as Figures
}

export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)]!
}
