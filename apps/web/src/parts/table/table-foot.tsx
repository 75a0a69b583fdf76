import type { ReactNode } from 'react'

interface TableFootProps {
  /** the order is of before, because somebody is at the table */
  waiting: boolean
  children: ReactNode
}

/** Below a table: what it shows in numbers. Stays at the window's edge while the table is longer than the window. */
export const TableFoot = ({ waiting, children }: TableFootProps) => (
  <div
    data-foot
    className="sticky bottom-0 z-[5] flex min-h-8 flex-wrap items-center gap-x-4 border-t border-line bg-sunken px-3 py-1 text-xs whitespace-nowrap text-ink-2 tabular-nums"
  >
    {children}
    {waiting && <span className="ml-auto truncate text-ink-3">Order waits while you are here</span>}
  </div>
)
