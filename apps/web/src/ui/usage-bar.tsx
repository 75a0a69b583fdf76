import { cx } from './cx.ts'
import { toneFill, type UiTone } from './tone-class.ts'

interface UsageBarProps {
  /** 0-100; other values are clamped, an unknown one shows an empty track */
  percent: number | undefined
  tone?: UiTone
  /** Accessible name; omit it when the figure is next to the bar. */
  label?: string
  className?: string
}

/**
 * Returned as an element, because there are many bars. 6 px high, one element without transform or clip. An
 * update changes the size of a background, which causes no layout and creates no layer.
 */
export function drawUsageBar({ percent, tone = 'neutral', label, className }: UsageBarProps) {
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
    <div
      className={cx('usage-bar', className)}
      style={{ backgroundSize: `${barPercent(shown)}% 100%`, ['--fill' as string]: toneFill[tone] }}
      {...meter}
    />
  )
}

export const UsageBar = (props: UsageBarProps) => drawUsageBar(props)

/** The filled part, rounded because half a percent is less than a pixel. */
export const barPercent = (shown: number): number => Math.round(shown * 2) / 2

export function clampPercent(percent: number | undefined): number {
  return percent === undefined || !Number.isFinite(percent) ? 0 : Math.min(100, Math.max(0, percent))
}
