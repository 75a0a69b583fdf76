import { TriangleAlert } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { AlertLevel } from './alert-levels.ts'

const words: Record<AlertLevel, string> = { critical: 'Critical alert', warning: 'Warning alert' }

/** The coloured left edge of a row with an alert. The row must be positioned. */
export function AlertStripe({ level }: { level: AlertLevel | undefined }) {
  if (!level) return null
  return (
    <span
      aria-hidden
      data-alert={level}
      className={cx(
        'alert-stripe absolute inset-y-0 left-0 w-[3px]',
        level === 'critical' ? 'bg-red-fill' : 'bg-yellow-fill',
      )}
    />
  )
}

/** Shows the level beside the name without colour. */
export function AlertMark({ level }: { level: AlertLevel | undefined }) {
  if (!level) return null
  return (
    <span
      role="img"
      aria-label={words[level]}
      className={cx('inline-flex shrink-0', level === 'critical' ? 'text-red' : 'text-yellow')}
      {...tip(words[level])}
    >
      <TriangleAlert aria-hidden size={13} />
    </span>
  )
}
