import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

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
    'relative grid h-full grid-rows-2 items-center border-b border-line px-3 py-0.5 has-[.usage-bar]:grid-rows-[minmax(0,1fr)_auto] has-[.usage-bar]:pb-[5px]',
    selected ? 'bg-accent-soft' : lost && 'bg-lost',
    faint && 'text-ink-3 [&_.usage-bar]:opacity-50',
  )

/** A bar has the whole width below its label and figure: beside them 14 px of it would be left. */
export function PhoneFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="relative flex min-w-0 items-center gap-1.5 has-[>.usage-bar]:[&>:last-child]:ml-auto [&>.usage-bar]:absolute [&>.usage-bar]:inset-x-0 [&>.usage-bar]:bottom-0">
      {label && <span className="text-ink-3">{label}</span>}
      {children}
    </span>
  )
}
