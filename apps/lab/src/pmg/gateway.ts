import type { Appliance } from '../appliance/appliance.ts'

export const queueNames = ['active', 'deferred', 'hold', 'incoming'] as const
export type QueueName = (typeof queueNames)[number]

/** Replaces the usual few queued mails. */
export interface QueuePin {
  sinceMs: number
  total: number
  /** Growth per minute. */
  perMinute: number
  oldestMinutes: number
}

export interface MailGateway {
  name: string
  major: number
  seed: number
  /** Seed of its mail; members of a cluster share one database. */
  mailSeed: number
  version: string
  bootedAtMs: number
  cpus: number
  memBytes: number
  /** The whole cluster, the master first; only this gateway if it is standalone. */
  members: readonly MailGateway[]
  isCluster: boolean
  /** Timeout for a member that is down. */
  giveUpMs: number
  appliance: Omit<Appliance, 'product'>
  queues: Map<QueueName, QueuePin>
}
