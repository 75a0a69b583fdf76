import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { toneSoft, toneText, type UiTone } from './tone-class.ts'

interface BadgeProps {
  tone?: UiTone
  children: ReactNode
  className?: string
}

export function Badge({ tone = 'neutral', children, className }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-4.5 shrink-0 items-center rounded px-1.5 text-2xs font-medium whitespace-nowrap',
        toneSoft[tone],
        toneText[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

/** A count that needs attention, with its label for screen readers. */
export function CountBadge({ count, label, tone }: { count: number; label: string; tone: 'red' | 'yellow' }) {
  if (count <= 0) return null
  return (
    <Badge tone={tone} className="min-w-4.5 justify-center font-semibold">
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{`${count} ${label}`}</span>
    </Badge>
  )
}
