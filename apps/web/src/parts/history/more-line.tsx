import { formatNumber } from '../../lib/format.ts'

export type NotLoaded = 'alerts' | 'changes' | 'backups' | undefined

interface MoreLineProps {
  /** those that are loaded and not listed */
  more: number
  /** what is not shown, if there are older ones that were not loaded */
  notLoaded: NotLoaded
}

/** The last line of a list that does not show everything. */
export function MoreLine({ more, notLoaded }: MoreLineProps) {
  if (more <= 0 && !notLoaded) return null
  return (
    <li className="text-ink-3">
      {more > 0 && `and ${formatNumber(more)} more`}
      {more > 0 && notLoaded && '. '}
      {notLoaded && `Older ${notLoaded} are not shown.`}
    </li>
  )
}
