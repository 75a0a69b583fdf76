import type { Alert, AlertConfig, ChannelKind, EndReason, NoticeKind } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { StoredAlert } from '../alerts/stored.ts'

/** Kinds of message about alerts. */
export type SentKind = Exclude<NoticeKind, 'test'>

/** The dispatcher's view of a channel. */
export interface ChannelInfo {
  id: string
  kind: ChannelKind
  name: string
  enabled: boolean
  capacity: Capacity
  /** The receiver opens an incident for each alert. It stays open until the resolved message. */
  hasIncidents?: boolean
}

/** Maximum number of alerts that one message can name. */
export interface Capacity {
  firing: number
  resolved: number
}

/** Input of every decision in addition to the episode. */
export interface Settings {
  config: AlertConfig
  moment: Moment
}

/** One alert from firing to resolved. */
export interface Episode {
  id: string
  /** the connection or Docker host that reported it */
  source: string
  alert: Alert
  /** monotonic; derived from the wall clock */
  beganAt: number
  /** monotonic; when this process received it, which can be long after a stale condition began */
  receivedAt?: number | undefined
  /** while it flaps: the end, monotonic and as the alert store has it (epoch ms) */
  flapping?: { until: number; wallUntil: number } | undefined
  /** It fired again shortly after its end with nearly the same figure. */
  repeats?: true | undefined
  /** Its figure is below the trigger or unknown. */
  noReminder?: true | undefined
  /** epoch ms and monotonic; absent while it fires */
  ended?: { now: number; monotonic: number } | undefined
}

/** When and why an episode ended. */
export interface EpisodeEnd {
  /** epoch ms */
  at: number
  reason?: EndReason | undefined
  /** a sentence */
  note?: string | undefined
}

/** The messages sent to one channel about an episode. */
export interface NotificationLogEntry {
  episode: string
  channelId: string
  /** as sent, so that the resolved message shows the same figures */
  alert: Alert
  /** epoch ms, of the last message that was delivered or given up */
  at: number
  level: string
  /** minutes of the highest escalation level that was sent; 0 for none */
  escalatedAfter: number
  /** false: nothing was delivered yet, and the last message was given up */
  isDelivered: boolean
  source?: string
}

/** `monotonicAt`: `at` on the monotonic clock. */
export type TimedLogEntry = NotificationLogEntry & { monotonicAt: number }

/** One message to one channel. */
export interface Dispatch {
  channelId: string
  kind: SentKind
  /** the most severe first */
  items: readonly DispatchItem[]
  /** the sources of its alerts, with their numbers of unnamed alerts */
  sources: readonly SourceShare[]
}

/** The alerts of one source and severity in a message. */
export interface SourceShare {
  stream: string
  /** name for display */
  name: string
  isCritical: boolean
  /** more alerts than a message can name, or more messages than the hourly cap allows */
  isFlood: boolean
  /** alerts left for a later message */
  left: number
}

export interface DispatchItem {
  episode: string
  source?: string
  alert: Alert
  /** epoch ms; absent while it fires */
  endedAt?: number
  /** minutes of the highest escalation level that it covers; 0 for none */
  escalatedAfter: number
}

/**
 * `kept`: it was not sent and is decided again. `unnamed`: the same, because the message had no line for it.
 */
export type Ending = 'delivered' | 'givenUp' | 'kept' | 'unnamed'

export interface Wanted {
  kind: SentKind
  /** minutes of the escalation level that it covers */
  escalatedAfter: number
}

/** Something to send. `stream`: alerts of one source and severity, firing or resolved. */
export interface Ready {
  episode: Episode
  wanted: Wanted
  stream: string
}

/** Changes of the notification log. */
export interface LedgerChanges {
  put: readonly NotificationLogEntry[]
  remove: readonly Pick<NotificationLogEntry, 'episode' | 'channelId'>[]
}

/** State from the database, for a start. */
export interface RestoredNotices {
  open: readonly StoredAlert[]
  log: readonly NotificationLogEntry[]
  /** the end of a closed episode, if known */
  endOf: (episode: string) => EpisodeEnd | undefined
  /** messages in transit */
  underWay: readonly Dispatch[]
  /** messages of the last hour; epoch ms */
  sent: readonly {
    channelId: string
    isEscalation: boolean
    alertIds: readonly string[]
    sources: readonly SourceShare[]
    at: number
  }[]
}

/** Input of a gate. */
export interface Admission {
  kind: SentKind
  episode: Episode
  logged: TimedLogEntry | undefined
  /** monotonic; messages about this alert to this channel within the last hour, oldest first */
  sent: readonly number[]
  config: AlertConfig
  moment: Moment
}

/**
 * `hold`: it waits until then (monotonic), or until something changes. `drop`: it is not sent in its present
 * state. The reason is a sentence for display.
 */
export type Decision =
  | { verdict: 'pass' }
  | { verdict: 'hold'; gate: string; reason: string; until?: number | undefined }
  | { verdict: 'drop'; gate: string; reason: string }

export interface Gate {
  name: string
  decide(admission: Admission): Omit<Exclude<Decision, { verdict: 'pass' }>, 'gate'> | undefined
}

export const pass: Decision = { verdict: 'pass' }
export const isCritical = ({ level }: { level: string }): boolean => level === 'critical'
