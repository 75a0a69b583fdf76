import type { Clock } from '@pulse/domain'
import { siteIn } from './nats/subjects.ts'

const intervalMs = 60_000
const mostSites = 1_000
/** Of one site, in one interval. What it sends may be part of them. */
const mostReasons = 20
const mostCharacters = 200

export type OnRefused = (subject: string, why: string) => void

export interface Refusal {
  /** the last one */
  subject: string
  why: string
  /** of that site, for that reason, since the last report */
  count: number
}

interface Reason {
  count: number
  reportedAt: number
}

interface Site {
  known: Map<string, Reason>
  others: Reason
}

/**
 * Reports what a site sends in vain once, and then once a minute with its count: it may send without end. Above a number of
 * reasons, the others of a site count as one.
 */
export function limitRefusals(
  clock: Pick<Clock, 'monotonic'>,
  report: (refusal: Refusal) => void,
): OnRefused {
  const sites = new Map<string, Site>()

  function siteOf(subject: string): Site {
    const name = cut(siteIn(subject))
    const site = sites.get(name) ?? { known: new Map(), others: unreported() }
    sites.delete(name)
    sites.set(name, site)
    if (sites.size > mostSites) sites.delete(sites.keys().next().value!)
    return site
  }

  return (subject, why) => {
    const now = clock.monotonic()
    const text = cut(why)
    const { known, others } = siteOf(subject)
    if (!known.has(text) && hasRoom(known, now)) known.set(text, unreported())
    const reason = known.get(text) ?? others
    reason.count++
    if (now - reason.reportedAt < intervalMs) return
    const shown = reason === others ? `other reasons, the last one: ${text}` : text
    report({ subject: cut(subject), why: shown, count: reason.count })
    Object.assign(reason, { count: 0, reportedAt: now })
  }
}

const unreported = (): Reason => ({ count: 0, reportedAt: -Infinity })

/** A copy: a part of a text keeps the whole one in memory. */
const cut = (text: string): string =>
  text.length > mostCharacters ? Buffer.from(text.slice(0, mostCharacters)).toString() : text

/** Room is made by those that would be reported at once if they came again. */
function hasRoom(known: Map<string, Reason>, now: number): boolean {
  if (known.size < mostReasons) return true
  for (const [text, { reportedAt }] of known) if (now - reportedAt >= intervalMs) known.delete(text)
  return known.size < mostReasons
}
