import type { Storage } from '@pulse/contract'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { toneText, type UiTone } from '../../ui/tone-class.ts'
import { isTroubled } from '../alerts/disk-health.ts'
import { troubleTone } from './zfs-trouble.tsx'

/** Green while the storage is available and its pool is healthy. Grey when stale or disabled on purpose. */
export function StorageStatus({ pool, stale }: { pool: Storage; stale: boolean }) {
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
