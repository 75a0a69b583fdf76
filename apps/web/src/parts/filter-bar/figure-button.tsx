import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'

interface FigureButtonProps {
  pressed: boolean
  onPress: () => void
  /** describes the filter that it sets */
  hint: string
  children: ReactNode
}

/** A count that sets a filter. Its border distinguishes it from a plain count. */
export const FigureButton = ({ pressed, onPress, hint, children }: FigureButtonProps) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onPress}
    className={cx(
      'figure inline-flex h-8 items-center gap-1.5 rounded-md border px-1.5 text-xs whitespace-nowrap tabular-nums sm:px-2 sm:text-table',
      pressed
        ? 'border-accent bg-accent-soft text-accent'
        : 'border-line bg-surface text-ink-2 hover:border-control hover:text-ink',
    )}
    {...tip(hint, 260)}
  >
    {children}
  </button>
)
