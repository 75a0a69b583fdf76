import { ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { DownEdge, Offline, StaleBadge } from '../cells/outage.tsx'
import type { Fold } from './fold.ts'

interface FoldRowProps {
  fold: Fold
  colSpan: number
  tabIndex: 0 | -1
  onToggle: () => void
}

/** One row for several folded lines. It is above them when open. */
export function FoldRow({ fold, colSpan, tabIndex, onToggle }: FoldRowProps) {
  const { rank, open, cluster, names } = fold
  const down = rank === 0
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      className={cx(
        'relative flex h-full min-w-0 items-center gap-2 border-b border-line px-3',
        down ? 'bg-down text-table hover:bg-down-hover' : 'bg-sunken text-xs text-ink-2 hover:bg-hover',
      )}
    >
      {down && <DownEdge />}
      <button
        type="button"
        tabIndex={tabIndex}
        aria-expanded={open}
        onClick={onToggle}
        className={cx(
          'inline-flex h-6 shrink-0 items-center gap-1.5 rounded whitespace-nowrap',
          down ? 'font-semibold text-red' : 'hover:text-ink',
        )}
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx('-ml-0.5', !down && 'text-ink-3', open && 'rotate-90')}
        />
        {words(fold)}
      </button>
      {down && (
        <>
          {cluster && (
            <Badge className="min-w-8 shrink!">
              <span className="truncate">{cluster}</span>
            </Badge>
          )}
          <Since fold={fold} />
        </>
      )}
      {rank !== 2 && !open && <span className="min-w-0 truncate text-xs text-ink-3">{names}</span>}
    </div>
  )
}

function words({ rank, count, more }: Fold): string {
  const shown = more ? `${formatNumber(count)} more` : formatNumber(count)
  return [`${shown} nodes unreachable`, `${shown} need attention`, `${shown}, all healthy`][rank]!
}

function Since({ fold: { since, unreachable } }: Pick<FoldRowProps, 'fold'>) {
  if (!unreachable) return <Offline since={since} className="text-xs" />
  return since !== undefined && <StaleBadge since={since} down />
}
