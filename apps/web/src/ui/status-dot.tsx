import { cx } from './cx.ts'
import { toneFill, type UiTone } from './tone-class.ts'

interface StatusDotProps {
  tone: UiTone
  /** meaning of the colour, for users who cannot distinguish colours */
  label: string
  /** a ring means "not on", even without colour */
  ring?: boolean
  /** state not known yet */
  pulsing?: boolean
}

export function StatusDot({ tone, label, ring = false, pulsing = false }: StatusDotProps) {
  const color = tone === 'neutral' ? 'var(--control)' : toneFill[tone]
  return (
    <span
      className={cx(
        'status-dot relative inline-block size-2 shrink-0 rounded-full',
        pulsing && 'animate-pulse',
      )}
      data-ring={ring || undefined}
      style={ring ? { boxShadow: `inset 0 0 0 1.5px ${color}` } : { background: color }}
    >
      <span className="sr-only">{label}</span>
    </span>
  )
}
