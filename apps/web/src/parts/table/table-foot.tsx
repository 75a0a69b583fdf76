import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

interface TableFootProps {
  /** the table is in use, so a new order waits */
  orderPending: boolean
  /** stays in view while the table is longer than the window, because its counts appear nowhere else */
  sticky?: boolean
  children: ReactNode
}

/** The counts below a table. */
export const TableFoot = ({ orderPending, sticky = true, children }: TableFootProps) => (
  <div
    data-foot
    className={cx(
      sticky && 'sticky bottom-0 z-[5]',
      'flex min-h-8 flex-wrap items-center gap-x-4 border-t border-line bg-sunken px-3 py-1 text-xs whitespace-nowrap text-ink-2 tabular-nums',
    )}
  >
    {children}
    {orderPending && (
      <span className="ml-auto truncate text-ink-3">Sorting paused while you use the table</span>
    )}
  </div>
)
