import { backoffMs } from '../../polling/backoff.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { SOON_MS, type Desk } from './desk.ts'

/** An account that was refused will be refused again: PVE takes 3 s for it, and may ban us. */
export const REFUSED_MS = 30_000

/** A question that we may not ask, or that is not known there, is asked again in case that somebody has mended it. */
export const REFUSED_PART_MS = 300_000

/** One part failed, alone. Returns the pause before it is tried again, if not the usual one. */
export function partFailed(desk: Desk, part: string, cause: unknown): number | undefined {
  if (!(cause instanceof SourceError))
    desk.log.error({ err: cause, part }, 'a part of the collector is at fault')
  const error = toSourceError(cause)
  const failures = desk.health.failed(part, error)
  desk.publish(SOON_MS)
  if (error.isRefusal) return REFUSED_PART_MS
  return error.code === 'unauthorized' ? Math.max(REFUSED_MS, backoffMs(failures)) : undefined
}
