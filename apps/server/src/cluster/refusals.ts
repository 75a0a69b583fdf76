import type { Clock } from '@pulse/domain'
import { siteIn } from './subjects.ts'

const intervalMs = 60_000
/** Reasons are few; sites are as many as there are. */
const mostKnown = 1_000

export type OnRefused = (subject: string, why: string) => void

export interface Refusal {
  /** the last one */
  subject: string
  why: string
  /** of that site, for that reason, since the last report */
  count: number
}

/** Reports what a site sends in vain once, and then once a minute with its count: it may send without end. */
export function limitRefusals(
  clock: Pick<Clock, 'monotonic'>,
  report: (refusal: Refusal) => void,
): OnRefused {
  const known = new Map<string, { count: number; reportedAt: number }>()
  return (subject, why) => {
    const key = `${siteIn(subject)} ${why}`
    const entry = known.get(key) ?? { count: 0, reportedAt: -Infinity }
    known.delete(key)
    known.set(key, entry)
    if (known.size > mostKnown) known.delete(known.keys().next().value!)
    entry.count++
    if (clock.monotonic() - entry.reportedAt < intervalMs) return
    report({ subject, why, count: entry.count })
    Object.assign(entry, { count: 0, reportedAt: clock.monotonic() })
  }
}
