import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

interface DetailsCellProps {
  colSpan: number
  /** a few lines, not panels */
  slim?: boolean
  children: ReactNode
}

/**
 * The details of a row, across all columns. As wide as the visible part of the table at any scroll position.
 */
export function DetailsCell({ colSpan, slim = false, children }: DetailsCellProps) {
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      className={cx(
        'sticky left-0 w-[100cqi] border-b border-line bg-sunken px-3 sm:px-9',
        slim ? 'py-2' : 'py-3',
      )}
    >
      {children}
    </div>
  )
}

/** Panels side by side if they fit. */
export const DetailsPanels = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[repeat(auto-fit,minmax(min(240px,100%),1fr))] gap-x-8 gap-y-4">
    {children}
  </div>
)

interface DetailsPanelProps {
  title: string
  note?: string | undefined
  children: ReactNode
}

export function DetailsPanel({ title, note, children }: DetailsPanelProps) {
  return (
    <section className="min-w-0 text-xs">
      <h2 className="mb-1.5 text-2xs font-semibold tracking-wide text-ink-3">{title}</h2>
      {children}
      {note && <p className="mt-1.5 break-words text-ink-3">{note}</p>}
    </section>
  )
}

export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">{children}</dl>
)

export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{term}</dt>
    <dd className="min-w-0 break-words text-ink tabular-nums">{children}</dd>
  </>
)

export const Lines = ({ values }: { values: readonly string[] }) => (
  <ul className="text-ink-2">
    {values.map((value, index) => (
      <li key={index} className="break-all tabular-nums">
        {value}
      </li>
    ))}
  </ul>
)
