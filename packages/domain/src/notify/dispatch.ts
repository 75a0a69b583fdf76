import type { Alert, AlertConfig, ChannelKind, EndReason, NoticeKind } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'

/** Whatever is sent about alerts. */
export type SentKind = Exclude<NoticeKind, 'test'>

/** One way out, as far as it matters to whom something goes. */
export interface ChannelInfo {
  id: string
  kind: ChannelKind
  name: string
  enabled: boolean
  capacity: Capacity
  /** Each alert is an incident of its own there, which stays open until its end is sent. */
  hasIncidents?: boolean
}

/** How many alerts one message can name. */
export interface Capacity {
  firing: number
  resolved: number
}

/** By what is decided. */
export interface Settings {
  config: AlertConfig
  moment: Moment
}

/** One time that something was an alert, from its beginning to its end. */
export interface Episode {
  id: string
  /** that knows of it: a connection, or a Docker host */
  source: string
  alert: Alert
  /** monotonic; as far as its start lies back by the clock of the machine */
  beganAt: number
  /** monotonic, when this process heard of it; what is too old began long before that */
  heardAt?: number | undefined
  /** while it comes and goes too often to be sent: until when (monotonic), and as it was told (epoch ms) */
  flapping?: { until: number; told: number } | undefined
  /** It came back shortly after its end with nearly the same figure. */
  repeats?: true | undefined
  /** Its figure is below its trigger, or is not known now. */
  noReminder?: true | undefined
  /** epoch ms and monotonic, of what is over */
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

/** What one way out was told of an episode. */
export interface NotificationLogEntry {
  episode: string
  channelId: string
  /** as it was then: its end is told with it */
  alert: Alert
  /** epoch ms, of the last message that was taken, or that was given up */
  at: number
  level: string
  /** minutes of the highest level of escalation that was told; 0 for none */
  escalatedAfter: number
  /** false: nothing has arrived yet, and the last try was given up */
  isDelivered: boolean
  source?: string
}

/** `monotonicAt`: its `at` by the other clock. */
export type TimedLogEntry = NotificationLogEntry & { monotonicAt: number }

/** One message to one way out. */
export interface Dispatch {
  channelId: string
  kind: SentKind
  /** the most severe first */
  items: readonly DispatchItem[]
  /** whose alerts it names, and how many of them it does not */
  sources: readonly SourceShare[]
}

/** Of one message: alerts of one source and severity. */
export interface SourceShare {
  stream: string
  /** for people */
  name: string
  isCritical: boolean
  /** there is more than a message can name, or there were more messages than the hourly cap allows */
  isFlood: boolean
  /** alerts that wait for a later message */
  left: number
}

export interface DispatchItem {
  episode: string
  source?: string
  alert: Alert
  /** epoch ms, of what is over */
  endedAt?: number
  /** minutes of the highest level of escalation that it covers; 0 for none */
  escalatedAfter: number
}

/** `kept`: nothing became of it, and it is decided about again. `unnamed`: the same, after a message that had no line for it. */
export type Ending = 'delivered' | 'givenUp' | 'kept' | 'unnamed'

export interface Wanted {
  kind: SentKind
  /** minutes of the level of escalation it covers */
  escalatedAfter: number
}

/** Something to send. `stream`: alerts of one source and severity, firing or resolved. */
export interface Ready {
  episode: Episode
  wanted: Wanted
  stream: string
}

/** What is to be kept of who was told what. */
export interface LedgerChanges {
  put: readonly NotificationLogEntry[]
  remove: readonly Pick<NotificationLogEntry, 'episode' | 'channelId'>[]
}

/** What a gate may look at. */
export interface Admission {
  kind: SentKind
  episode: Episode
  told: TimedLogEntry | undefined
  /** monotonic; when this way out was told something about this alert, within the last hour, oldest first */
  sent: readonly number[]
  config: AlertConfig
  moment: Moment
}

/**
 * `hold`: it waits until then (monotonic), or until something changes. `drop`: nothing of it is sent any more, as it is.
 * The reason is a sentence for people.
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
