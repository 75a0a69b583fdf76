import type { Diagnostics } from '@pulse/contract'
import type { Clock } from '@pulse/domain'

/** Tests the product and everything that it monitors. */
export interface DiagnosticsArea {
  /** All requests during a run, and for a short time after it, share its result. */
  run(): Promise<{ result: Diagnostics; at: number }>
}

/** A contributor of a block, errors and notes. */
export interface Diagnosed {
  diagnose?: () => Partial<Diagnostics> | Promise<Partial<Diagnostics>>
}

const cachedMs = 45_000

export function createDiagnostics(areas: readonly Diagnosed[], clock: Clock): DiagnosticsArea {
  let cached: { result: Diagnostics; at: number; madeAt: number } | undefined
  let running: Promise<{ result: Diagnostics; at: number }> | undefined

  async function runNow() {
    const blocks = await Promise.all(areas.map(({ diagnose }) => diagnose?.() ?? {}))
    const result = blocks.reduce(together, {}) as Diagnostics
    cached = { result, at: clock.now(), madeAt: clock.monotonic() }
    return cached
  }

  return {
    run() {
      if (cached && clock.monotonic() - cached.madeAt < cachedMs) return Promise.resolve(cached)
      running ??= runNow().finally(() => (running = undefined))
      return running
    },
  }
}

/** Lists from several contributors, such as errors and notes, are joined. */
function together(all: Partial<Diagnostics>, block: Partial<Diagnostics>): Partial<Diagnostics> {
  const merged: Record<string, unknown> = { ...all }
  for (const [key, value] of Object.entries(block)) {
    const before = merged[key]
    merged[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return merged
}
