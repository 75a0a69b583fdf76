import type { ChannelInfo, Notice } from '@pulse/domain'

/** `response`: the beginning of the answer, without secrets. `bytes`: the size of the request. */
export type Outcome =
  | {
      delivered: true
      status?: number
      response?: string
      bytes: number
      /** number of alerts that the message names, the most severe first; absent: all */
      named?: number
    }
  | {
      delivered: false
      status?: number
      response?: string
      bytes: number
      /** a sentence for people: what failed, on what, what to do; without secrets */
      reason: string
      /** `never`: the same message would fail again */
      retry: 'never' | 'later'
      /** requested by the receiver; replaces the channel's own pause */
      retryAfterMs?: number
    }

export type Send = (notice: Notice, signal: AbortSignal) => Promise<Outcome>

/** Problems of settings, by field name of the contract; empty when there are none. */
export type Problems = Record<string, string>

/**
 * Sends with any settings of one kind. `send` never throws for a failure of the receiver, and stops on the
 * signal.
 */
export interface Sender<Settings> {
  send(settings: Settings, ...message: Parameters<Send>): ReturnType<Send>
  /** Checks the settings before they are stored, without a network call. */
  problems(settings: Settings): Problems
}

/** The first retries of a channel. */
export interface RetryPolicy {
  /** retries with a doubling pause */
  quickRetries: number
  firstPauseMs: number
}

/** A configured channel. */
export interface Channel {
  info: ChannelInfo
  /** the service of a webhook; otherwise the kind */
  service: string
  /** its destination, without secrets */
  address: string
  retryPolicy: RetryPolicy
  /** how long a test waits for an answer; absent: as long as other messages */
  testTimeoutMs?: number
  /** A new value marks changed settings; failed messages are then retried at once. */
  revision: unknown
  send: Send
}

/**
 * Channels with changed settings. A change of the allowed hosts affects every channel, because a refused
 * destination may be allowed now.
 */
export function changedChannels(
  before: readonly Channel[],
  now: readonly Channel[],
  { areHostsChanged }: { areHostsChanged: boolean },
): string[] {
  const revisions = new Map(before.map(({ info, revision }) => [info.id, revision]))
  return now
    .filter(
      ({ info: { id }, revision }) =>
        areHostsChanged || (revisions.has(id) && revisions.get(id) !== revision),
    )
    .map(({ info }) => info.id)
}
