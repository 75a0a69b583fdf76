import type { TracedNotice } from '@pulse/contract'
import type { Explanation } from '@pulse/domain'

const perAlert = 20
const alerts = 20_000
/** Users ask within a day why a message was or was not sent. */
const ttlMs = 24 * 3_600_000

/** The latest notes about each alert and its messages, for the alert trace. */
export interface Notes {
  add(alertIds: Iterable<string>, note: TracedNotice): void
  of(alertId: string): readonly TracedNotice[]
  /** Forgets resolved alerts with no note for a day. */
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
        if (!isOpen(id) && Date.parse(notes.at(-1)!.at) < nowMs - ttlMs) kept.delete(id)
    },
  }
}

/** An unsent message, in the form of the trace. */
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
