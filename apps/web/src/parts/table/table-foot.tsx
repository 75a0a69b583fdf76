import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

interface TableFootProps {
  /** the order is of before, because somebody is at the table */
  waiting: boolean
  /** it counts what the head of the page does not: it stays in sight while the table is longer than the window */
  stays?: boolean
  children: ReactNode
}

/** Below a table: what it shows in numbers. */
export const TableFoot = ({ waiting, stays = true, children }: TableFootProps) => (
  <div
    data-foot
    className={cx(
      stays && 'sticky bottom-0 z-[5]',
      'flex min-h-8 flex-wrap items-center gap-x-4 border-t border-line bg-sunken px-3 py-1 text-xs whitespace-nowrap text-ink-2 tabular-nums',
    )}
  >
    {children}
    {waiting && <span className="ml-auto truncate text-ink-3">Order waits while you are here</span>}
  </div>
)
