import { type ReactNode, useId } from 'react'
import type { GapReason } from '../chart/series.ts'
import type { ShownChart } from './chart-data.ts'

/** The patterns of `chart/overlays.ts`. */
const patterns: Record<GapReason, ReactNode> = {
  stopped: <rect width="16" height="10" fill="var(--track)" />,
  gone: null,
  silent: <path d="M-2 10 8 0M3 10 13 0M8 10 18 0M13 10 23 0" stroke="var(--line-strong)" strokeWidth="1" />,
  off: (
    <path d="M0 2.5h16M0 5.5h16M0 8.5h16" stroke="var(--line-strong)" strokeWidth="1" strokeDasharray="1 3" />
  ),
}

/** Names the patterns of the gaps that are shown. */
export function GapLegend({ charts }: { charts: readonly ShownChart[] }) {
  const id = useId()
  const words = new Map(
    charts.flatMap(({ data }) => data.gaps.map((gap) => [gap.reason, gap.words] as const)),
  )
  if (words.size === 0) return null
  return (
    <ul aria-label="Gaps" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {[...words].map(([reason, text]) => (
        <li key={reason} className="flex items-center gap-1.5">
          <svg
            aria-hidden
            width="16"
            height="10"
            className="shrink-0 rounded-[2px] border border-line-strong"
          >
            <clipPath id={`${id}-${reason}`}>
              <rect width="16" height="10" />
            </clipPath>
            <g clipPath={`url(#${id}-${reason})`}>{patterns[reason]}</g>
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}
