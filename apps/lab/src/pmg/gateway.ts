import type { Appliance } from '../appliance/appliance.ts'

export const queueNames = ['active', 'deferred', 'hold', 'incoming'] as const
export type QueueName = (typeof queueNames)[number]

/** What is queued, when it is not the usual handful. */
export interface QueuePin {
  sinceMs: number
  total: number
  /** How many more every minute. */
  perMinute: number
  oldestMinutes: number
}

export interface MailGateway {
  name: string
  major: number
  seed: number
  /** Of its mail; members of a cluster share one database. */
  mailSeed: number
  version: string
  bootedAtMs: number
  cpus: number
  memBytes: number
  /** The whole cluster, the master first; only itself when there is none. */
  members: readonly MailGateway[]
  isCluster: boolean
  /** How long a member that is down takes to be given up on. */
  giveUpMs: number
  appliance: Omit<Appliance, 'product'>
  queues: Map<QueueName, QueuePin>
}
