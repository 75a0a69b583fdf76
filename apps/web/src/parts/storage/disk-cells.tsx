import type { PhysicalDisk } from '@pulse/contract'
import { formatMoment, formatTemperature } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { diskHealth } from '../alerts/disk-health.ts'
import { healthTone, temperatureOf } from './disk-health.ts'

interface DiskProps {
  disk: PhysicalDisk
  /** the figures are old */
  stale: boolean
}

/** Grey when stale. */
export function DiskHealthBadge({ disk, stale }: DiskProps) {
  const health = diskHealth(disk)
  return (
    <span className="inline-flex" {...tip(disk.healthNote, 320)}>
      <Badge tone={stale ? 'neutral' : healthTone[health]}>
        {health}
        {disk.healthNote && <span className="sr-only">: {disk.healthNote}</span>}
      </Badge>
    </span>
  )
}

export function DiskTemperature({ disk, stale }: DiskProps) {
  const celsius = temperatureOf(disk)
  const tone = stale ? 'neutral' : toneOf('diskTemperature', celsius)
  return (
    <span
      className={
        celsius === undefined
          ? 'text-ink-3'
          : cx('tabular-nums', tone !== 'neutral' && `font-medium ${toneText[tone]}`)
      }
      {...tip(disk.smartAt === undefined ? undefined : `Read ${formatMoment(disk.smartAt)}`)}
    >
      {formatTemperature(celsius)}
    </span>
  )
}
