import type { Alert, EndReason, RecordKind } from '@pulse/contract'
import type { StoredRuntime } from './runtime.ts'

/** A decision about a condition, for the trace. */
export interface Step {
  /** epoch ms */
  at: number
  text: string
}

/** An open alert as it is stored, with all state that must survive a restart. JSON. */
export interface StoredAlert {
  alert: Alert
  /** of its row in the history; an alert that recurs within minutes keeps it */
  episode: string
  kind: RecordKind
  /** key of the record */
  record: string
  source: string
  rule: string
  /** that it was judged by last */
  trigger: number
  /** epoch ms; while it comes and goes too often to be sent */
  flappingUntil?: number
  /** It came back shortly after its end with nearly the same figure. */
  repeats?: true
  /** Its figure is below its trigger, or is not known now. */
  noReminder?: true
  /** the latest, oldest first */
  steps: readonly Step[]
}

/**
 * How an alert ended: its figure returned, its condition passed, it is no longer judged, more severe alerts took its place,
 * its record was removed, an administrator cleared it.
 */
export type Ending = 'value' | 'passed' | 'off' | 'displaced' | 'gone' | 'cleared'

/** The same in the words of the API. */
export const endReasons = {
  value: 'condition',
  passed: 'condition',
  off: 'unwatched',
  displaced: 'displaced',
  gone: 'gone',
  cleared: 'cleared',
} as const satisfies Record<Ending, EndReason>

/** A condition that was cleared while it lasted: it does not fire before it has ended. JSON. */
export interface StoredCleared {
  id: string
  kind: RecordKind
  /** key of the record */
  record: string
  source: string
  rule: string
  /** as it was when it was cleared */
  level: string
  node: string
}

export interface StoredResolved {
  stored: StoredAlert
  ending: Ending
  /** epoch ms */
  endedAt: number
}

/** State whose loss loses no alert: acknowledgements of resolved alerts, figures of the last hours. JSON. */
export interface StoredMemory {
  gone: readonly StoredResolved[]
  /** epoch ms of the latest changes, by alert */
  flapping: Readonly<Record<string, { changes: readonly number[]; until?: number }>>
  /** what rules keep, by kind and key of the record */
  rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** absent in what an older version stored */
  cleared?: readonly StoredCleared[] | undefined
  /** the same */
  runtime?: StoredRuntime | undefined
}

export interface Restored {
  alerts: readonly StoredAlert[]
  /** alerts that ended within the last hour, from the alert table; it takes precedence over the memory */
  gone?: readonly StoredResolved[] | undefined
  memory?: StoredMemory | undefined
}

export interface EngineSnapshot extends Restored {
  memory: StoredMemory
}

/**
 * One thing that happened to an alert. `reopened`: it came back within minutes and goes on as it was. `refreshed`: its
 * figure, words or place changed, or a message about it was sent. `reminded`, `escalated`: a message of that kind was sent.
 * All but `refreshed` must be kept before they are shown.
 */
export interface AlertChange {
  what:
    | 'raised'
    | 'reopened'
    | 'leveled'
    | 'refreshed'
    | 'acknowledged'
    | 'unacknowledged'
    | 'reminded'
    | 'escalated'
    | 'resolved'
    | 'cleared'
  stored: StoredAlert
  /** epoch ms */
  at: number
  /** of what has ended: why, and how long it lasted by the monotonic clock */
  ending?: Ending
  reason?: string
  durationMs?: number
}
