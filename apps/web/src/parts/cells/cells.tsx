import { Clock } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatBytes, formatUptime, MISSING, type Parts, percentParts, rateParts } from '../../lib/format.ts'
import { toneOf, type ToneScale } from '../../lib/tones.ts'
import { useNow } from '../../lib/use-now.ts'
import { cx } from '../../ui/cx.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { barPercent, clampPercent, drawUsageBar } from '../../ui/usage-bar.tsx'

/** Ages and uptimes update together at this interval. */
export const TICK_MS = 10_000

export const cellClass = (...more: (string | false | undefined)[]) => cx('min-w-0 px-2', ...more)
const numberCell = cellClass('text-right tabular-nums whitespace-nowrap')

interface CellProps {
  children: ReactNode
  className?: string | undefined
}

export function Cell({ children, className }: CellProps) {
  return (
    <div role="gridcell" className={cellClass(className)}>
      {children}
    </div>
  )
}

/** Renders only when its text or number changes. */
export const NumberCell = memo(function NumberCell({ children, className }: CellProps) {
  return (
    <div role="gridcell" className={cx(numberCell, className)}>
      {children}
    </div>
  )
})

interface AmountProps extends Parts {
  className?: string | undefined
}

function drawAmount({ figure, unit, className }: AmountProps) {
  return (
    <span className={className}>
      {figure === MISSING ? <span className="text-ink-3">{figure}</span> : figure}
      {/* one text node, because React compares every node of a row on each update */}
      {unit && <span className="text-ink-3">{` ${unit}`}</span>}
    </span>
  )
}

/** A figure with its unit muted. */
export const Amount = memo(drawAmount)

interface UsageProps {
  /** 0-100; undefined is unknown */
  percent: number | undefined
  scale: ToneScale
  /** the figures are stale, so they have no colour */
  stale?: boolean
  /** only this figure is stale */
  staleAlone?: boolean
  /** a better value is not known yet */
  estimate?: boolean
}

const figureTone: Partial<Record<UiTone, string>> = {
  red: 'text-red font-medium',
  orange: 'text-orange font-medium',
  yellow: 'text-yellow font-medium',
}

/** The visible parts of a usage. It re-renders only when one of them changes. */
interface VisibleUsage extends Pick<UsageProps, 'staleAlone' | 'estimate'>, Parts {
  /** percent that the bar is filled; undefined is unknown */
  bar: number | undefined
  tone: UiTone
}

function visibleUsage({ percent, scale, stale, staleAlone, estimate }: UsageProps): VisibleUsage {
  const shown = percent === undefined ? undefined : clampPercent(percent)
  return {
    ...percentParts(shown),
    bar: shown === undefined ? undefined : barPercent(shown),
    tone: stale || staleAlone ? 'neutral' : toneOf(scale, shown),
    ...(staleAlone && { staleAlone }),
    ...(estimate && { estimate }),
  }
}

/**
 * A bar and its figure, as elements. Separate components for the parts would dominate the cost of an update.
 */
function drawUsage({ bar, tone, figure, unit, staleAlone, estimate }: VisibleUsage) {
  if (bar === undefined) return <span className="ml-auto text-ink-3">{figure}</span>
  return (
    <>
      {drawUsageBar({ percent: bar, tone, className: 'min-w-3 flex-1' })}
      {staleAlone && <Clock aria-label="Not fresh" size={11} className="shrink-0 text-orange" />}
      <span
        className={cx(
          'shrink-0 text-right whitespace-nowrap tabular-nums',
          // the sign is in the gap, so that the figures of a column stay aligned
          estimate ? '-ml-[0.45em] w-[4.55em]' : 'w-[4.1em]',
          figureTone[tone],
          staleAlone && 'text-ink-3',
        )}
      >
        {estimate && <span className="text-ink-3">≈</span>}
        {figure}
        <span className="text-ink-3">{unit}</span>
      </span>
    </>
  )
}

/** The same, outside a cell. */
export const Usage = memo(function Usage(usage: UsageProps) {
  return drawUsage(visibleUsage(usage))
})

const UsageCell = memo(function UsageCell({ hint, ...usage }: VisibleUsage & { hint: string | undefined }) {
  return (
    <div role="gridcell" className={cellClass('flex items-center justify-end gap-1.5')} {...tip(hint)}>
      {drawUsage(usage)}
    </div>
  )
})

/** Renders only when its visible figure changes, not with its row. */
export const drawUsageCell = ({ hint, ...usage }: UsageProps & { hint?: string | undefined }) => (
  <UsageCell {...visibleUsage(usage)} hint={hint} />
)

export const usedOfTotal = (used: number | undefined, total: number | undefined): string | undefined =>
  used === undefined || total === undefined ? undefined : `${formatBytes(used)} of ${formatBytes(total)}`

const AmountCell = memo(function AmountCell(amount: AmountProps) {
  return (
    <div role="gridcell" className={numberCell}>
      {drawAmount(amount)}
    </div>
  )
})

/** Bytes per second, from grey to red. */
export function drawRateCell(bytesPerSecond: number | undefined, stale?: boolean) {
  const tone = stale ? 'neutral' : toneOf('rate', bytesPerSecond)
  return (
    <AmountCell
      {...rateParts(bytesPerSecond)}
      className={tone === 'neutral' ? 'text-ink-3' : toneText[tone]}
    />
  )
}

/** Orange during the first hour. Updates with time, without rendering its row. */
export function Uptime({ startedAt, stale }: { startedAt: number | undefined; stale?: boolean }) {
  const secondsAt = (now: number) =>
    startedAt === undefined ? undefined : Math.max(1, (now - startedAt) / 1000)
  const text = useNow(TICK_MS, (now) => formatUptime(secondsAt(now)))
  const fresh = useNow(TICK_MS, (now) => toneOf('uptime', secondsAt(now)) === 'orange')
  return (
    <span className={startedAt === undefined ? 'text-ink-3' : cx(fresh && !stale && 'text-orange')}>
      {text}
    </span>
  )
}

export const UptimeCell = memo(function UptimeCell(props: {
  startedAt: number | undefined
  stale?: boolean
}) {
  return (
    <NumberCell>
      <Uptime {...props} />
    </NumberCell>
  )
})
