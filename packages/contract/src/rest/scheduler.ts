import * as z from 'zod/mini'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { SourceKind } from '../sources.ts'

/** RFC 3339 */
const time = z.string()
const optionalTime = z.optional(time)

/** A connection by its name. */
const instance = { instance: z.string(), type: SourceKind }

/** half_open: one call is under way that decides; unknown: not called yet */
export const BreakerStateName = z.enum(['closed', 'open', 'half_open', 'unknown'])

/** Connections that fail for long. They are polled all the same, with the longest pause between two calls. */
const DeadLetterTask = z.object({
  ...instance,
  nextRun: optionalTime,
  lastError: z.string(),
  /** in a row */
  failures: z.number(),
})

const PolledInstance = z.object({
  /** type::name */
  key: z.string(),
  type: SourceKind,
  displayName: z.string(),
  instance: z.string(),
  /** its address */
  connection: z.string(),
  /** of the question on which all others depend: the listing of a cluster, the version of a single host */
  pollStatus: z.object({
    lastSuccess: optionalTime,
    /** stays after a success */
    lastError: z.optional(
      z.object({
        at: time,
        message: z.string(),
        /** permanent: an administrator has to change something */
        category: z.enum(['transient', 'permanent']),
      }),
    ),
    consecutiveFailures: z.number(),
    firstFailureAt: optionalTime,
  }),
  /** of the host; of a cluster, that of the address that may be called first */
  breaker: z.object({
    state: BreakerStateName,
    since: optionalTime,
    lastTransition: optionalTime,
    retryAt: optionalTime,
    failureCount: z.number(),
  }),
  deadLetter: z.object({
    present: z.boolean(),
    reason: z.optional(z.enum(['max_retry_attempts', 'permanent_failure'])),
    firstAttempt: optionalTime,
    lastAttempt: optionalTime,
    retryCount: z.optional(z.number()),
    nextRetry: optionalTime,
  }),
})

/** An unknown time is absent. */
export const SchedulerHealth = z.object({
  updatedAt: time,
  /** adaptive polling */
  enabled: z.boolean(),
  /** repeated questions that wait for their time */
  queue: z.object({
    depth: z.number(),
    /** how many of them want to run within 12 seconds */
    dueWithinSeconds: z.number(),
    perType: z.record(z.string(), z.number()),
  }),
  /** at most 25 tasks; the count is of all */
  deadLetter: z.object({ count: z.number(), tasks: z.array(DeadLetterTask) }),
  /** those that are not closed, or count failures */
  breakers: z.array(
    z.object({ ...instance, state: BreakerStateName, failures: z.number(), retryAt: optionalTime }),
  ),
  staleness: z.array(
    z.object({
      ...instance,
      /** 0: just answered; 1: the last answer does not count any more, or there was none */
      score: z.number(),
      lastSuccess: optionalTime,
      lastError: optionalTime,
    }),
  ),
  instances: z.array(PolledInstance),
})
export type SchedulerHealth = z.infer<typeof SchedulerHealth>

/** How the polling of connections goes. Container hosts are not polled: their agents push reports. */
export const getSchedulerHealth = endpoint({
  ...readsMonitoring,
  path: '/api/monitoring/scheduler/health',
  reply: SchedulerHealth,
})
