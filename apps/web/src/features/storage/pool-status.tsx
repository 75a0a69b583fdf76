import { StatusDot } from '../../ui/status-dot.tsx'
import { cx } from '../../ui/cx.ts'
import type { PoolLine } from './pool-line.ts'

/** Available, or in red what it is instead; what is old has no colour. */
export function PoolStatus({ line: { pool, stale } }: { line: PoolLine }) {
  const available = pool.status === 'available'
  const tone = stale ? 'neutral' : available ? 'green' : 'red'
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-table">
      <StatusDot tone={tone} label="" ring={!available || stale} />
      <span className={cx('truncate', !available && !stale && 'font-medium text-red')}>{pool.status}</span>
    </span>
  )
}
