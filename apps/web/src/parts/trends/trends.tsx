import { ChartSpline } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMoment } from '../../lib/moment.tsx'
import { usePreference } from '../../lib/storage.ts'
import { IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { PlacedRow } from '../grid/grid.tsx'
import type { TrendTable } from './trend-table.ts'
import { TrendsFailed } from './trends-failed.tsx'

const Layer = lazyPart('Trends', async () => ({ default: (await import('./layer.tsx')).Layer }), {
  renderFailure: ({ error }) => <TrendsFailed reason={error.message} />,
})

/** What a table draws behind its rows: the last hour of their figures, while that is switched on. */
export function useTrends(table: TrendTable): ((rows: readonly PlacedRow[]) => ReactNode) | undefined {
  const [shown] = usePreference('trends')
  const isNow = useMoment() === undefined
  const isDrawn = isNow && shown === 'true' && table.sources.length > 0
  return isDrawn ? (rows) => <Layer {...table} rows={rows} /> : undefined
}

/** One switch for all tables of this browser. */
export function TrendsToggle({ className }: { className?: string | undefined }) {
  const [shown, setShown] = usePreference('trends')
  const isPast = useMoment() !== undefined
  const isOn = shown === 'true' && !isPast
  return (
    <IconButton
      label="Trends"
      aria-pressed={isOn}
      disabled={isPast}
      className={cx('disabled:opacity-50', isOn && 'bg-accent-soft text-accent', className)}
      onClick={() => setShown(isOn ? 'false' : 'true')}
      {...tip(
        isPast
          ? 'Trends are only available for the current time'
          : 'Trends: the last hour behind the figures',
      )}
    >
      <ChartSpline aria-hidden size={15} />
    </IconButton>
  )
}
