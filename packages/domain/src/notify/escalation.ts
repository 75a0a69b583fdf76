import type { AlertSchedule } from '@pulse/contract'
import type { ChannelInfo } from './dispatch.ts'

const minuteMs = 60_000

/**
 * A level is identified by its minutes, so that levels can be added and removed. Several passed levels, for
 * example after a downtime of the server, are one message.
 */
export function escalationOf(
  { enabled, levels }: AlertSchedule['escalation'],
  { kind }: Pick<ChannelInfo, 'kind'>,
  { lastedMs, escalatedAfter }: { lastedMs: number; escalatedAfter: number },
): { /** minutes of the level that is due */ due?: number; /** ms until the next is */ inMs?: number } {
  if (!enabled) return {}
  const ahead = levels
    .filter(({ after, notify }) => after > escalatedAfter && (notify === 'all' || notify === kind))
    .map(({ after }) => after)
    .toSorted((a, b) => a - b)
  const due = ahead.findLast((after) => lastedMs >= after * minuteMs)
  const next = ahead.find((after) => lastedMs < after * minuteMs)
  return {
    ...(due !== undefined && { due }),
    ...(next !== undefined && { inMs: next * minuteMs - lastedMs }),
  }
}
