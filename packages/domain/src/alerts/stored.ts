import type { Alert, EndReason, RecordKind } from '@pulse/contract'
import type { StoredRuntime } from './runtime.ts'

/** A decision about a condition, for the trace. */
export interface Step {
  /** epoch ms */
  at: number
  text: string
}

/** An open alert in its stored form, with all state that must survive a restart. JSON. */
export interface StoredAlert {
  alert: Alert
  /** id of its row in the history; an alert that recurs within minutes keeps it */
  episode: string
  kind: RecordKind
  /** key of the record */
  record: string
  source: string
  rule: string
  /** trigger of the last evaluation */
  trigger: number
  /** epoch ms; end of the suppression by flapping */
  flappingUntil?: number
  /** It recurred shortly after its end with nearly the same figure. */
  repeats?: true
  /** Its figure is below the trigger or unknown. */
  noReminder?: true
  /** the latest, oldest first */
  steps: readonly Step[]
}

/**
 * How an alert ended: its figure returned, its condition passed, it is no longer evaluated, more severe
 * alerts took its place, its record was removed, or an administrator cleared it.
 */
export type Ending = 'value' | 'passed' | 'off' | 'displaced' | 'gone' | 'cleared'

/** The same in the API's words. */
export const endReasons = {
  value: 'condition',
  passed: 'condition',
  off: 'unwatched',
  displaced: 'displaced',
  gone: 'gone',
  cleared: 'cleared',
} as const satisfies Record<Ending, EndReason>

/** A condition that was cleared while it lasted. It fires again only after it has ended. JSON. */
export interface StoredCleared {
  id: string
  kind: RecordKind
  /** key of the record */
  record: string
  source: string
  rule: string
  /** level at the time of clearing */
  level: string
  node: string
}

export interface StoredResolved {
  stored: StoredAlert
  ending: Ending
  /** epoch ms */
  endedAt: number
}

/**
 * State that can be lost without losing an alert: acknowledgements of resolved alerts, figures of the last
 * hours. JSON.
 */
export interface StoredMemory {
  gone: readonly StoredResolved[]
  /** epoch ms of the latest changes, by alert */
  flapping: Readonly<Record<string, { changes: readonly number[]; until?: number }>>
  /** values stored by rules, by kind and key of the record */
  rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** absent if an older version stored it */
  cleared?: readonly StoredCleared[] | undefined
  /** absent if an older version stored it */
  runtime?: StoredRuntime | undefined
}

export interface Restored {
  alerts: readonly StoredAlert[]
  /** alerts that ended within the last hour, from the alert table; take precedence over the memory */
  gone?: readonly StoredResolved[] | undefined
  memory?: StoredMemory | undefined
}

export interface EngineSnapshot extends Restored {
  memory: StoredMemory
}

/**
 * A change of an alert. `reopened`: it recurred within minutes and continues. `refreshed`: its figure, text
 * or location changed, or a notification was sent. `reminded`, `escalated`: a notification of that kind was
 * sent. All but `refreshed` must be stored before they are shown.
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
  /** for an end: the reason, and the duration by the monotonic clock */
  ending?: Ending
  reason?: string
  durationMs?: number
}
