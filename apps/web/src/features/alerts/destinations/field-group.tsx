import type { ReactNode } from 'react'
import { cx } from '../../../ui/cx.ts'

interface FieldGroupProps {
  title: string
  /** grid columns on wide screens; default: two */
  columns?: string
  children: ReactNode
}

/** Fields on one topic. */
export function FieldGroup({ title, columns, children }: FieldGroupProps) {
  return (
    <div role="group" aria-label={title} className="border-t border-line pt-4">
      <h3 className="mb-3 text-table font-semibold">{title}</h3>
      <div className={cx('grid items-start gap-4 md:grid-cols-2', columns)}>{children}</div>
    </div>
  )
}
