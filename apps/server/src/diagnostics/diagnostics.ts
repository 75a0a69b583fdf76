import type { Diagnostics } from '@pulse/contract'
import type { Clock } from '@pulse/domain'

/** The health of the product and of everything it monitors, tested again. */
export interface DiagnosticsArea {
  /** A run is shared by everybody who asks while it lasts, and for a while after. */
  run(): Promise<{ result: Diagnostics; at: number }>
}

/** A contributor: a block of its own, errors and notes. */
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

/** Lists that several have, such as errors and notes, follow one another. */
function together(all: Partial<Diagnostics>, block: Partial<Diagnostics>): Partial<Diagnostics> {
  const merged: Record<string, unknown> = { ...all }
  for (const [key, value] of Object.entries(block)) {
    const before = merged[key]
    merged[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return merged
}
