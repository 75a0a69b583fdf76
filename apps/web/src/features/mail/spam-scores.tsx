import { UsageBar } from '../../ui/usage-bar.tsx'
import type { ScoreRow } from './figures.ts'

/** How likely the mail was to be spam, by the points it got. */
export function SpamScores({ rows }: { rows: readonly ScoreRow[] }) {
  return (
    <dl aria-label="Mail by spam score" className="figures text-table">
      {rows.map(({ score, count, share, percent }) => (
        <div key={score} className="flex h-6 items-center gap-3">
          <dt className="w-7 shrink-0 text-right text-ink-2">
            <span className="sr-only">Score </span>
            {score}
          </dt>
          <dd className="flex min-w-0 flex-1 items-center gap-3 text-right whitespace-nowrap">
            <UsageBar percent={percent} className="min-w-4 flex-1" />
            <span className="w-16 shrink-0 font-medium text-ink group-data-stale/gateway:text-ink-3">
              {count}
            </span>
            <span className="w-[3.5rem] shrink-0 text-xs text-ink-2">{share}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
