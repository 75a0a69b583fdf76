import type { HistoryChange } from '@pulse/contract'
import type { ReactNode } from 'react'
import { changeLink } from '../../parts/changes/change-kinds.ts'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'

interface RankedItemProps {
  thing: Pick<HistoryChange, 'kind' | 'id' | 'name'>
  /** what it is, and where */
  about: readonly (string | undefined)[]
  note?: ReactNode
  className: string | false
  /** the figure that it is ranked by */
  children: ReactNode
}

/** A thing in a list that is ordered by a figure. Its name leads to its page. */
export const RankedItem = ({ thing, about, note, className, children }: RankedItemProps) => (
  <li className={cx('flex items-baseline gap-3 px-3 py-1.5', className)}>
    <span className="min-w-0 flex-1 break-words">
      <Link to={changeLink(thing)!} className="font-medium hover:text-accent hover:underline">
        {thing.name}
      </Link>
      <span className="ml-2 text-xs text-ink-3">{about.filter(Boolean).join(' · ')}</span>
      {note !== undefined && <span className="block text-xs text-ink-3">{note}</span>}
    </span>
    <span className="text-right whitespace-nowrap tabular-nums">{children}</span>
  </li>
)
