import type { ReactNode } from 'react'

/** One check of a connection. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h4 className="text-table font-semibold">{title}</h4>
      {children}
    </div>
  )
}
