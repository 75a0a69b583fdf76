import type { ReactNode } from 'react'

interface NameLineProps {
  /** what must be seen: state, name, warnings */
  children: ReactNode
  /** shown as far as there is room, each whole or not at all */
  extras?: ReactNode
}

/** The name comes first: what does not fit beside it wraps below the edge. */
export function NameLine({ children, extras }: NameLineProps) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1.5">
      <span className="flex min-w-0 items-center gap-1.5">{children}</span>
      {extras && (
        <span className="flex h-5 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 overflow-hidden [&>*]:my-px">
          {/* stands first so that even the first extra can wrap away */}
          <span aria-hidden className="h-5 w-0 -mr-1.5" />
          {extras}
        </span>
      )}
    </span>
  )
}
