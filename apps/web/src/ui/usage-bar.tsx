import { toneFill, type UiTone } from './tone-class.ts'

interface UsageBarProps {
  /** 0-100; anything beyond is clamped, unknown shows an empty track */
  percent: number | undefined
  tone?: UiTone
  /** Names the bar for those who cannot see it; leave out when the figure stands beside it. */
  label?: string
}

/** 6 px high; only a transform changes, so an update never lays the page out anew. */
export function UsageBar({ percent, tone = 'green', label }: UsageBarProps) {
  const shown = clampPercent(percent)
  const meter = label
    ? {
        role: 'meter',
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-valuenow': Math.round(shown),
      }
    : { 'aria-hidden': true }
  return (
    <div className="usage-track" {...meter}>
      <div
        className="usage-fill"
        style={{ transform: `translateX(${shown - 100}%)`, ['--fill' as string]: toneFill[tone] }}
      />
    </div>
  )
}

export function clampPercent(percent: number | undefined): number {
  return percent === undefined || !Number.isFinite(percent) ? 0 : Math.min(100, Math.max(0, percent))
}
