import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

/** Two lines instead of columns. */
export const phoneRowClass = ({
  faint,
  selected = false,
  lost = false,
}: {
  faint: boolean
  selected?: boolean
  lost?: boolean
}) =>
  cx(
    'relative grid h-full grid-rows-2 items-center border-b border-line px-3 py-1.5',
    selected ? 'bg-accent-soft' : lost && 'bg-lost',
    faint && 'text-ink-3 [&_.usage-bar]:opacity-50',
  )

export function PhoneFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {label && <span className="text-ink-3">{label}</span>}
      {children}
    </span>
  )
}
