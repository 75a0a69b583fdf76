import { TriangleAlert } from 'lucide-react'
import { formatRelative } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { TICK_MS } from '../../parts/cells/cells.tsx'
import { cx } from '../../ui/cx.ts'

interface WhenProps {
  /** RFC 3339 */
  time: string | undefined
  /** text without a time */
  never?: string
  seconds?: boolean
  /** on one line; `ago` omits the exact time */
  inline?: boolean | 'ago'
}

/** Relative and exact time. */
export function When({ time, never = 'Never', seconds = false, inline = false }: WhenProps) {
  const ago = useNow(TICK_MS, (now) => (time === undefined ? never : formatRelative(Date.parse(time), now)))
  if (time === undefined) return <span className="text-ink-3">{never}</span>
  return (
    <time dateTime={time} className={cx('whitespace-nowrap tabular-nums', !inline && 'block')}>
      {ago}
      {inline !== 'ago' && (
        <span className={cx('text-xs text-ink-3', inline ? 'ml-1.5' : 'block')}>
          {formatMoment(Date.parse(time), seconds)}
        </span>
      )}
    </time>
  )
}

const DAY_MS = 86_400_000
/** Tolerance for a fresh expiry: clocks differ, and the displayed time is up to one tick old. */
const SLACK_MS = 3_600_000

/** Remaining days, rounded up; 0 once expired. */
const daysLeft = (leftMs: number): number =>
  leftMs <= 0 ? 0 : Math.max(1, Math.ceil((leftMs - SLACK_MS) / DAY_MS))

/** Expiry date, or a warning once it has passed. */
export function Until({ time, inline = false }: Pick<WhenProps, 'time' | 'inline'>) {
  const left = useNow(TICK_MS, (now) => (time === undefined ? 0 : daysLeft(Date.parse(time) - now)))
  if (time === undefined) return <span className="text-ink-3">Never</span>
  return (
    <time dateTime={time} className={cx('whitespace-nowrap tabular-nums', !inline && 'block')}>
      {left > 0 ? (
        `${inline ? 'expires ' : ''}${relative.format(left, 'day')}`
      ) : (
        <span className="inline-flex items-center gap-1 font-medium text-red">
          <TriangleAlert aria-hidden size={13} />
          Expired
        </span>
      )}
      {!inline && <span className="block text-xs text-ink-3">{formatMoment(Date.parse(time))}</span>}
    </time>
  )
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const minutes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const withSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const formatMoment = (epochMs: number, seconds = false) => (seconds ? withSeconds : minutes).format(epochMs)
