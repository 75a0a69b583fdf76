import { Loader } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { FigureButton } from '../../parts/filter-bar/figure-button.tsx'
import { cx } from '../../ui/cx.ts'

interface HeadlineProps {
  backups: number
  /** guests that are not well protected; 0 where the page counts them itself */
  attention: number
  /** leads to those */
  onAttention: () => void
  /** what is being read for the first time, in words */
  reading: string | undefined
}

/** The page in two figures. */
export function Headline({ backups, attention, onAttention, reading }: HeadlineProps) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-4 px-1 text-table text-ink-2">
      <span>
        <Figure count={backups} /> {backups === 1 ? 'backup' : 'backups'}
      </span>
      {attention > 0 && (
        <FigureButton pressed={false} onPress={onAttention} hint="Show only guests that need attention">
          <Figure count={attention} className="text-red" /> {attention === 1 ? 'guest' : 'guests'} not well
          protected
        </FigureButton>
      )}
      {reading && (
        <span className="flex items-center gap-1.5 text-ink-3 tabular-nums">
          <Loader aria-hidden className="spin" size={12} />
          {reading}
        </span>
      )}
    </p>
  )
}

const Figure = ({ count, className }: { count: number; className?: string }) => (
  <span className={cx('font-semibold tabular-nums', className ?? 'text-ink')}>{formatNumber(count)}</span>
)
