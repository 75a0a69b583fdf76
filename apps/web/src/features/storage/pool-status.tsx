import type { Storage } from '@pulse/contract'
import { StatusDot } from '../../ui/status-dot.tsx'
import { cx } from '../../ui/cx.ts'
import { isTroubled } from '../../parts/storage/health.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'
import type { PoolLine } from './pool-line.ts'
import { troubleTone } from './zfs.ts'

/** Green while it is available and the pool below it is well; what is old or disabled on purpose has no colour. */
export function PoolStatus({ line: { pool, stale } }: { line: PoolLine }) {
  const tone = stale ? 'neutral' : toneOfPool(pool)
  const isBad = tone !== 'green' && tone !== 'neutral'
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-table">
      <StatusDot tone={tone} label="" ring={tone !== 'green'} />
      <span className={cx('truncate', isBad && `font-medium ${toneText[tone]}`)}>{pool.status}</span>
    </span>
  )
}

function toneOfPool({ status, enabled, zfsPool }: Storage): UiTone {
  if (status !== 'available') return enabled ? 'red' : 'neutral'
  return zfsPool && isTroubled(zfsPool) ? troubleTone(zfsPool) : 'green'
}
