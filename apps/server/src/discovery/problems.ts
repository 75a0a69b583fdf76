import type { DiscoveryError } from '@pulse/contract'
import type { Clock } from '@pulse/domain'

/** A network full of strangers must not become a list of them. */
const most = 100

type Problem = Omit<DiscoveryError, 'timestamp'>

/** What went wrong in one scan: each thing once, and no more than fits a page. */
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

/** The line of the older form: `Phase [ip:port]: text`. */
export function problemLine({ phase, ip, port, message }: DiscoveryError): string {
  const words = phase.replaceAll('_', ' ')
  const place = ip === undefined ? '' : ` [${port === undefined ? ip : `${ip}:${port}`}]`
  return `${words[0]!.toUpperCase()}${words.slice(1)}${place}: ${message}`
}
