import type { SourceState, Unreadable } from '@pulse/contract'
import { compareNames, isEqual } from '@pulse/domain'
import { FileWarning } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatSpan } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { cx } from '../../ui/cx.ts'
import { TICK_MS } from '../cells/cells.tsx'
import { sourceName } from './unreachable.ts'

const firstShown = 3

interface UnreadableListProps {
  parts: readonly UnreadablePart[]
  className?: string
}

/** Unreadable items with time, reason and missing permission. Renders nothing if there are none. */
export function UnreadableList({ parts, className }: UnreadableListProps) {
  const [all, setAll] = useState(false)
  if (parts.length === 0) return null
  const more = parts.length - firstShown
  return (
    <div className={cx('border-l-4 border-orange-fill bg-orange-soft px-2.5 py-1.5 text-table', className)}>
      <ul aria-label="Cannot be read" className="flex flex-col gap-1">
        {(all ? parts : parts.slice(0, firstShown)).map((part) => (
          <Line key={`${part.name ?? ''} ${part.what}`} part={part} />
        ))}
      </ul>
      {more > 0 && (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="mt-1 ml-[22px] text-xs font-medium text-orange hover:underline"
        >
          {all ? 'Show fewer' : `and ${more} more`}
        </button>
      )}
    </div>
  )
}

function Line({ part: { name, what, error, right, since } }: { part: UnreadablePart }) {
  return (
    <li className="flex items-start gap-2">
      <FileWarning aria-hidden size={14} className="mt-[3px] shrink-0 text-orange" />
      <span className="flex min-w-0 flex-wrap gap-x-2 wrap-anywhere">
        <span className="font-medium text-ink">
          <span role="status">
            {name !== undefined && `${name}: `}
            {what}
            <span className="text-orange"> cannot be read</span>
          </span>
          <Age since={since} />
        </span>
        <span className="text-ink-2">{error}</span>
        {right !== undefined && <span className="font-medium text-ink-2">Missing right: {right}</span>}
      </span>
    </li>
  )
}

/** Hidden from screen readers, which would announce it every minute. */
function Age({ since }: { since: number }) {
  const span = useNow(TICK_MS, (now) => formatSpan(Math.max(1, (now - since) / 1000)))
  return <span className="text-orange"> for {span}.</span>
}

/** Above a page's figures: items that are missing or stale although their source answers. */
export function UnreadableStrip({ concerns }: { concerns: Concerns }) {
  const select = useMemo(() => selectUnreadable(concerns), [concerns])
  const parts = useLive(['sources'], select, isEqual)
  return <UnreadableList parts={parts} className="rounded-md" />
}

/** An unreadable item of a reachable source. */
interface UnreadablePart extends Unreadable {
  /** its source; absent if the page already names it */
  name?: string
}

type Concerns = (source: SourceState, what: string) => boolean

/** The unreadable items of a page, by source. Unreachable sources are reported elsewhere. */
const selectUnreadable =
  (concerns: Concerns) =>
  (live: LiveReader): readonly UnreadablePart[] =>
    [...live.records('sources').values()]
      .filter(({ health, siteUnreachableSince }) => health !== 'error' && siteUnreachableSince === undefined)
      .flatMap((source) => {
        const name = sourceName(source)
        return (source.unreadable ?? [])
          .filter(({ what }) => concerns(source, what))
          .map((one) => ({ ...one, name }))
      })
      .toSorted((a, b) => compareNames(a.name, b.name))
