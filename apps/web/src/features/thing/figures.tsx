import { memo, type ReactNode } from 'react'
import { formatRate } from '../../lib/format.ts'
import { toneOf, type ToneScale } from '../../lib/tones.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { Usage } from '../../parts/cells/cells.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'

/** The figures of now, side by side. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <LiveCard aria-label="Current figures">
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-4 sm:grid-cols-4 lg:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {children}
    </dl>
  </LiveCard>
)

interface FigureProps {
  label: string
  /** below the figure */
  note?: string | undefined
  children: ReactNode
}

export const Figure = ({ label, note, children }: FigureProps) => (
  <div className="flex min-w-0 flex-col gap-1">
    <dt className="text-2xs font-semibold tracking-wide text-ink-3">{label}</dt>
    <dd className="flex min-h-5 items-center gap-1.5 text-table tabular-nums">{children}</dd>
    {note && <dd className="text-xs text-ink-3 tabular-nums">{note}</dd>}
  </div>
)

interface UsageFigureProps {
  label: string
  percent: number | undefined
  scale: ToneScale
  stale: boolean
  estimate?: boolean
  note?: string | undefined
}

/** Renders only when one of its values changes. */
export const UsageFigure = memo(function UsageFigure({ label, note, ...usage }: UsageFigureProps) {
  return (
    <Figure label={label} note={note}>
      <span className="flex w-full items-center gap-1.5 [&>.ml-auto]:ml-0">
        <Usage {...usage} />
      </span>
    </Figure>
  )
})

export const RateFigure = memo(function RateFigure(props: {
  label: string
  bytesPerSecond: number | undefined
  stale: boolean
}) {
  const { label, bytesPerSecond, stale } = props
  const tone = stale ? 'neutral' : toneOf('rate', bytesPerSecond)
  return (
    <Figure label={label}>
      <span className={cx(bytesPerSecond === undefined || stale ? 'text-ink-3' : toneText[tone])}>
        {formatRate(bytesPerSecond)}
      </span>
    </Figure>
  )
})
