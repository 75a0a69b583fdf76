import { cx } from './cx.ts'
import { toneFill, type UiTone } from './tone-class.ts'

interface StatusDotProps {
  tone: UiTone
  /** what the colour says, for everyone who cannot tell colours apart */
  label: string
  /** a ring means "not on", also without colour */
  ring?: boolean
  /** not known yet */
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
