import type { ZfsDevice, ZfsPool } from '@pulse/contract'
import { TriangleAlert } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'
import { hasErrors, isZfsOnline } from '../alerts/disk-health.ts'
import { StaleBadge } from '../cells/outage.tsx'

/** The problem of a ZFS pool and the affected devices. */
export function ZfsTrouble({ pool }: { pool: ZfsPool }) {
  const tone = zfsTone(pool.state)
  const stale = pool.staleSince !== undefined
  return (
    <div className={cx('flex flex-col gap-1 text-xs', stale && 'text-ink-3 grayscale')}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TriangleAlert aria-hidden size={13} className={toneText[troubleTone(pool)]} />
        <span className="font-medium text-ink">ZFS pool {pool.name}</span>
        <Badge tone={tone}>{pool.state}</Badge>
        {hasErrors(pool) && (
          <>
            <Badge tone="red">ERRORS</Badge>
            <span className="text-ink tabular-nums">{errorsText(pool)}</span>
          </>
        )}
        {pool.staleSince !== undefined && <StaleBadge since={pool.staleSince} />}
      </p>
      {pool.status && <p className="break-words text-ink-2">{pool.status}</p>}
      {pool.scan && <p className="break-words text-ink-3">{pool.scan}</p>}
      {pool.devices.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {pool.devices.map((device, index) => (
            <li key={index} className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium break-all text-ink">{device.name}</span>
              <span className={cx('font-medium', toneText[zfsTone(device.state)])}>{device.state}</span>
              <span className="min-w-0 break-words text-ink-2 tabular-nums">{deviceText(device)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Errors = Pick<ZfsPool, 'readErrors' | 'writeErrors' | 'checksumErrors'>

export function zfsTone(state: string): UiTone {
  if (isZfsOnline(state)) return 'green'
  return state.toUpperCase() === 'DEGRADED' ? 'yellow' : 'red'
}

/** Red for a pool that is online but counts errors. */
export function troubleTone(pool: ZfsPool): UiTone {
  const tone = zfsTone(pool.state)
  return tone === 'green' ? 'red' : tone
}

export const errorsText = ({ readErrors, writeErrors, checksumErrors }: Errors): string =>
  `Errors: ${formatNumber(readErrors)} read, ${formatNumber(writeErrors)} write, ${formatNumber(checksumErrors)} checksum`

/** Message and error counts of a device. */
const deviceText = (device: ZfsDevice): string =>
  [device.message, hasErrors(device) && errorsText(device)].filter(Boolean).join(' · ')
