import type { TracedNotice } from '@pulse/contract'
import type { Explanation } from '@pulse/domain'

const perAlert = 20
const alerts = 20_000
/** Whoever asks why something was told, or was not, asks soon after. */
const keptMs = 24 * 3_600_000

/** What was said to whom about which alert, for whoever asks why; the latest of each. */
export interface Notes {
  add(alertIds: Iterable<string>, note: TracedNotice): void
  of(alertId: string): readonly TracedNotice[]
  /** Alerts that are over, and of which nothing was said for a day, are forgotten. */
  trim(isOpen: (alertId: string) => boolean, nowMs: number): void
}

export function createNotes(): Notes {
  const kept = new Map<string, TracedNotice[]>()
  return {
    add(alertIds, note) {
      for (const id of alertIds) {
        const before = kept.get(id) ?? []
        kept.delete(id)
        kept.set(id, [...before, note].slice(-perAlert))
        if (kept.size > alerts) kept.delete(kept.keys().next().value!)
      }
    },
    of: (alertId) => kept.get(alertId) ?? [],
    trim(isOpen, nowMs) {
      for (const [id, notes] of kept)
        if (!isOpen(id) && Date.parse(notes.at(-1)!.at) < nowMs - keptMs) kept.delete(id)
    },
  }
}

/** What is still to be sent, on the wire. */
export const tracedNotice = ({
  channel,
  text,
  wait,
  next,
}: Explanation & { channel: string }): Omit<TracedNotice, 'at'> => ({
  channel,
  text,
  ...(wait && {
    wait: {
      reason: wait.reason,
      ...(wait.until !== undefined && { until: new Date(wait.until).toISOString() }),
    },
  }),
  ...(next && { next: { kind: next.kind, at: new Date(next.at).toISOString() } }),
})
