import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { Link } from '../../ui/router/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface SectionProps {
  title: string
  count?: number | undefined
  /** there are more */
  isCut?: boolean | undefined
  /** the page that shows more of it */
  more?: { to: string; text: string } | undefined
  children: ReactNode
}

/** A card of the page with its title. */
export function Section({ title, count, isCut = false, more, children }: SectionProps) {
  const id = useId()
  return (
    <LiveCard aria-labelledby={id}>
      <div className="flex min-h-9 items-center gap-2 border-b border-line bg-sunken px-4">
        <h2 id={id} className="text-table font-semibold text-ink">
          {title}
          {count !== undefined && count > 0 && (
            <span className="ml-2 font-normal text-ink-3 tabular-nums">{`${formatNumber(count)}${isCut ? '+' : ''}`}</span>
          )}
        </h2>
        {more && (
          <Link
            to={more.to}
            className="ml-auto inline-flex min-h-6 items-center text-xs whitespace-nowrap text-accent hover:underline"
          >
            {more.text}
          </Link>
        )}
      </div>
      {children}
    </LiveCard>
  )
}

export const SectionBody = ({ children }: { children: ReactNode }) => <div className="p-4">{children}</div>

/** One sentence in place of a list. */
export const SectionNote = ({ children }: { children: ReactNode }) => (
  <p className="px-4 py-3 text-table text-ink-2">{children}</p>
)

/** In place of a list that has not arrived. */
export const SectionLoading = () => (
  <div role="status" className="flex flex-col gap-3 p-4">
    <span className="sr-only">Loading</span>
    <Skeleton className="h-3 w-64 max-w-full" />
    <Skeleton className="h-3 w-48 max-w-full" />
  </div>
)
