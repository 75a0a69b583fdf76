import { cx } from './cx.ts'
import { toneFill, type UiTone } from './tone-class.ts'

interface StatusDotProps {
  tone: UiTone
  /** what the colour says, for everyone who cannot tell colours apart */
  label: string
  /** a ring means "not on": the shape tells it without the colour */
  ring?: boolean
  /** not known yet */
  pulsing?: boolean
}

export function StatusDot({ tone, label, ring = false, pulsing = false }: StatusDotProps) {
  const color = toneFill[tone]
  return (
    <span
      className={cx('relative inline-block size-2 shrink-0 rounded-full', pulsing && 'animate-pulse')}
      style={ring ? { boxShadow: `inset 0 0 0 1.5px ${color}` } : { background: color }}
    >
      <span className="sr-only">{label}</span>
    </span>
  )
}
