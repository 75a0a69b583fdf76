import type { SchedulerHealth } from '@pulse/contract'
import type { PollReport } from '../collectors/poll-report.ts'
import { hostBackoff } from '../timing/backoff.ts'
import type { ConnectionArea } from './connections.ts'

/** As in Pulse 4.x. */
const dueSoonMs = 12_000
const mostTasks = 25
/** After so many failures in a row, the pause between two attempts has its full length. */
export const mostAttempts = 1 + Math.ceil(Math.log2(hostBackoff.longestMs / hostBackoff.firstMs))

type Watched = ReturnType<ConnectionArea['watched']>[number]
type Instance = SchedulerHealth['instances'][number]

/** How the polling of each connection goes. */
export function schedulerHealth(
  watched: readonly Watched[],
  { isAdaptive, now }: { isAdaptive: boolean; now: number },
): SchedulerHealth {
  const polled = watched.map((one) => ({ ...one, report: one.running.polling() }))
  const instances = polled.map((one) => toInstance(one, one.report))
  const waits = polled.flatMap(({ report }) => report.waitsMs)
  const perType: Record<string, number> = {}
  for (const { kind, report } of polled) perType[kind] = (perType[kind] ?? 0) + report.waitsMs.length
  const dead = instances.filter(({ deadLetter }) => deadLetter.present)
  return {
    updatedAt: new Date(now).toISOString(),
    enabled: isAdaptive,
    queue: {
      depth: waits.length,
      dueWithinSeconds: waits.filter((ms) => ms <= dueSoonMs).length,
      perType,
    },
    deadLetter: { count: dead.length, tasks: dead.slice(0, mostTasks).map(toTask) },
    breakers: instances
      .filter(({ breaker: { state, failureCount } }) => isOpen(state) || failureCount > 0)
      .map(({ instance, type, breaker: { state, failureCount, retryAt } }) => ({
        instance,
        type,
        state,
        failures: failureCount,
        ...(retryAt !== undefined && { retryAt }),
      })),
    staleness: polled.map(({ name, kind, report: { staleness, lastSuccess, lastError } }) => ({
      instance: name,
      type: kind,
      score: Math.round(staleness * 100) / 100,
      ...dates({ lastSuccess, lastError: lastError?.at }),
    })),
    instances,
  }
}

const isOpen = (state: Instance['breaker']['state']) => state === 'open' || state === 'half_open'

function toInstance({ name, kind, host }: Watched, report: PollReport): Instance {
  const { lastSuccess, lastError, failures, failingSince, breaker } = report
  return {
    key: `${kind}::${name}`,
    type: kind,
    displayName: name,
    instance: name,
    connection: host,
    pollStatus: {
      ...dates({ lastSuccess, firstFailureAt: failingSince }),
      ...(lastError && {
        lastError: {
          at: new Date(lastError.at).toISOString(),
          message: lastError.message,
          category: lastError.isLasting ? ('permanent' as const) : ('transient' as const),
        },
      }),
      consecutiveFailures: failures,
    },
    breaker: breaker
      ? {
          state: breaker.state,
          ...dates({
            since: breaker.since,
            lastTransition: breaker.changedAt,
            retryAt: breaker.retryAt,
          }),
          failureCount: breaker.failures,
        }
      : { state: 'unknown', failureCount: 0 },
    deadLetter: toDeadLetter(report),
  }
}

/** A cluster whose listing fails may be read by other questions. Then it is not dead. */
function toDeadLetter(report: PollReport): Instance['deadLetter'] {
  const { lastSuccess, lastError, failures, failingSince, nextAt } = report
  const isFailing = lastError && failures > 0 && (lastSuccess ?? -Infinity) <= (failingSince ?? -Infinity)
  if (!isFailing || (!lastError.isLasting && failures < mostAttempts)) return { present: false }
  return {
    present: true,
    reason: lastError.isLasting ? 'permanent_failure' : 'max_retry_attempts',
    ...dates({ firstAttempt: failingSince, lastAttempt: lastError.at, nextRetry: nextAt }),
    retryCount: failures,
  }
}

const toTask = ({
  instance,
  type,
  pollStatus,
  deadLetter,
}: Instance): SchedulerHealth['deadLetter']['tasks'][number] => ({
  instance,
  type,
  ...(deadLetter.nextRetry !== undefined && { nextRun: deadLetter.nextRetry }),
  lastError: pollStatus.lastError!.message,
  failures: pollStatus.consecutiveFailures,
})

/** An unknown time is absent. */
function dates<N extends string>(times: Record<N, number | undefined>): Partial<Record<N, string>> {
  const known = Object.entries<number | undefined>(times).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, new Date(at).toISOString()] as const],
  )
  return Object.fromEntries(known) as Partial<Record<N, string>>
}
