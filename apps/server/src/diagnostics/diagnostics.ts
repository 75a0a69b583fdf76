import type { Diagnostics } from '@pulse/contract'
import type { Clock } from '@pulse/domain'

/** Tests the product and everything that it monitors. */
export interface DiagnosticsArea {
  /** All requests during a run, and for a short time after it, share its result. */
  run(): Promise<{ result: Diagnostics; at: number }>
}

/** A contributor of a block, errors and notes. */
export interface Diagnosed {
  name: string
  diagnose?: () => Partial<Diagnostics> | Promise<Partial<Diagnostics>>
}

const cachedMs = 45_000

/** `onFault`: the part of an area failed. The others are there. */
export function createDiagnostics(
  areas: readonly Diagnosed[],
  clock: Clock,
  onFault: (error: unknown, area: string) => void,
): DiagnosticsArea {
  let cached: { result: Diagnostics; at: number; madeAt: number } | undefined
  let running: Promise<{ result: Diagnostics; at: number }> | undefined

  async function runNow() {
    let hasFailed = false
    async function blockOf({ name, diagnose }: Diagnosed): Promise<Partial<Diagnostics>> {
      try {
        return (await diagnose?.()) ?? {}
      } catch (error) {
        hasFailed = true
        onFault(error, name)
        return { errors: [`The diagnostics of ${name} failed: ${(error as Error).message}`] }
      }
    }
    const blocks = await Promise.all(areas.map(blockOf))
    const result = { ...missing, ...blocks.reduce(together, {}) } as Diagnostics
    const run = { result, at: clock.now(), madeAt: clock.monotonic() }
    if (!hasFailed) cached = run
    return run
  }

  return {
    run() {
      if (cached && clock.monotonic() - cached.madeAt < cachedMs) return Promise.resolve(cached)
      running ??= runNow().finally(() => (running = undefined))
      return running
    },
  }
}

/** The blocks that are always there, of areas that failed. */
const missing: Omit<Diagnostics, 'version' | 'runtime' | 'uptime' | 'system'> = {
  errors: [],
  notes: [],
  nodes: [],
  pbs: [],
  temperatures: [],
  memorySources: [],
  nodeSnapshots: [],
  guestSnapshots: [],
  temperatureProxy: {
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    socketFound: false,
    proxyReachable: false,
    legacySshKeyCount: 0,
    notes: [],
  },
  apiTokens: {
    enabled: false,
    tokenCount: 0,
    hasEnvTokens: false,
    hasLegacyToken: false,
    recommendTokenSetup: false,
    recommendTokenRotation: false,
    legacyDockerHostCount: 0,
    unusedTokenCount: 0,
    notes: [],
    tokens: [],
    usage: [],
  },
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
