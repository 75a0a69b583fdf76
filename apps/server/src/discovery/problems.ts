import type { DiscoveryError } from '@pulse/contract'
import type { Clock } from '@pulse/domain'

/** Limits the list on a network with many unknown hosts. */
const most = 100

type Problem = Omit<DiscoveryError, 'timestamp'>

/** The problems of one scan, without duplicates and limited in number. */
export interface Problems {
  note(problem: Problem): void
  all(): DiscoveryError[]
}

export function collectProblems(clock: Clock): Problems {
  const noted = new Map<string, DiscoveryError>()
  let dropped = 0
  const timestamp = () => Math.floor(clock.now() / 1000)
  return {
    note(problem) {
      const key = JSON.stringify(problem)
      if (noted.has(key)) return
      if (noted.size < most) noted.set(key, { ...problem, timestamp: timestamp() })
      else dropped++
    },
    all() {
      const errors = [...noted.values()]
      if (dropped === 0) return errors
      const message = `${dropped} more problems are not listed.`
      return [...errors, { phase: 'scan', error_type: 'phase_error', message, timestamp: timestamp() }]
    },
  }
}

/** The line in the format of Pulse 4.x: `Phase [ip:port]: text`. */
export function problemLine({ phase, ip, port, message }: DiscoveryError): string {
  const words = phase.replaceAll('_', ' ')
  const address = ip === undefined ? '' : ` [${port === undefined ? ip : `${ip}:${port}`}]`
  return `${words[0]!.toUpperCase()}${words.slice(1)}${address}: ${message}`
}
