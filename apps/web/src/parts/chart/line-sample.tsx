import { type ChartSeries, toneVariable } from './series.ts'

interface LineSampleProps {
  dash: readonly number[] | undefined
  tone: ChartSeries['tone']
}

/** How a line is drawn. */
export const LineSample = ({ dash, tone }: LineSampleProps) => (
  <svg aria-hidden width="22" height="2" className="shrink-0">
    <line
      x2="22"
      y1="1"
      y2="1"
      strokeWidth="2"
      strokeDasharray={dash?.join(' ')}
      style={{ stroke: `var(${toneVariable[tone]})` }}
    />
  </svg>
)
