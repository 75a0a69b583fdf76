import { type Alert, type WaitReason, waitReasons } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { Episode, SentKind } from './dispatch.ts'

/** Why a message about an episode is not sent yet. */
export interface Pending {
  episode: Episode
  kind: SentKind
  /** a `WaitReason`, or the name of a gate that objected for a reason other than time */
  gate: string
  /** a sentence */
  reason: string
  /** monotonic */
  until?: number | undefined
}

/** Messages of one kind to one channel that wait for the same reason. */
export interface Waiting {
  kind: SentKind
  reason: WaitReason
  /** epoch ms; the message that waits longest */
  since: number
  /** epoch ms; the earliest of several */
  until?: number
  /** the most severe first */
  alerts: readonly Alert[]
}

const reasons: ReadonlySet<string> = new Set(waitReasons)
export const isWaitReason = (gate: string): gate is WaitReason => reasons.has(gate)

/** In the order of the reasons, so that rows keep their places. */
export function waitingOf(pending: Iterable<Pending>, { now, monotonic }: Moment): Waiting[] {
  const groups = Map.groupBy(pending, ({ gate, kind }) => `${gate} ${kind}`)
  const found = [...groups.values()].flatMap((list) => {
    const { gate, kind } = list[0]!
    if (!isWaitReason(gate)) return []
    const until = Math.min(...list.map((one) => one.until ?? Infinity))
    const since = Math.min(...list.map(({ episode }) => waitsSince(episode)))
    const alerts = list.map(({ episode }) => episode.alert)
    return {
      kind,
      reason: gate,
      since: Math.round(now + since - monotonic),
      ...(until !== Infinity && { until: Math.round(now + until - monotonic) }),
      alerts: alerts.toSorted((a, b) => Number(b.level === 'critical') - Number(a.level === 'critical')),
    }
  })
  return found.toSorted((a, b) => order(a) - order(b))
}

/**
 * A snapshot may have been too old for months. Its message waits from the time this process received the
 * alert.
 */
const waitsSince = ({ ended, receivedAt, beganAt }: Episode): number =>
  ended?.monotonic ?? receivedAt ?? beganAt

const order = ({ reason }: Waiting): number => waitReasons.indexOf(reason)
