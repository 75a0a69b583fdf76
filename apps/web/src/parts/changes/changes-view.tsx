import type { RecordKind } from '@pulse/contract'
import { Queries } from '../../api/queries.tsx'
import { formatMoment } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { LoadFailed, LoadingRows } from '../../ui/panel.tsx'
import { ChangeList } from './change-list.tsx'
import { allChanges, useChanges } from './use-changes.ts'

const monthMs = 30 * 86_400_000
const pageSize = 20
const briefSize = 3
const renewMs = 60_000
const olderNotShown = 'Older changes are not shown.'

export interface ChangesProps {
  kind: RecordKind
  /** store id of the record */
  id: string
  /** its name, for screen readers */
  name: string
  /** only the newest ones */
  isBrief?: true
}

/** What happened to one thing in the last 30 days. */
export function ChangesView(props: ChangesProps) {
  return (
    <Queries>
      <Changes {...props} />
    </Queries>
  )
}

function Changes({ kind, id, name, isBrief }: ChangesProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useChanges({
    key: `${kind} ${id}`,
    // what happens while it loads belongs to it
    span: (now) => ({ from: now - monthMs, to: now + 60_000 }),
    filter: { kind, id },
    pageSize: isBrief ? briefSize : pageSize,
    renewMs,
  })
  if (!data && error)
    return (
      <LoadFailed title="Changes could not be loaded" reason={error.message} onRetry={() => void refetch()} />
    )
  if (!data) return <LoadingRows label="Loading changes" count={isBrief ? 2 : 3} />
  const all = allChanges(data.pages)
  const changes = isBrief ? all.slice(0, briefSize) : all
  const { oldest, from } = data.pages[0]!
  return (
    <div role="group" aria-label={`Changes of ${name}`} className="flex flex-col">
      {changes.length > 0 ? (
        <ChangeList changes={changes} now={data.pages[0]!.to} ofOne />
      ) : (
        <p className={cx('px-3 py-4 text-table text-ink-2', isBrief && 'm-auto text-center')}>
          {hasNextPage
            ? `No changes found so far. ${isBrief ? olderNotShown : 'Show more to search older changes.'}`
            : oldest !== undefined && oldest > from
              ? `No changes since ${formatMoment(oldest)}, when the log of changes begins.`
              : 'No changes in the last 30 days.'}
        </p>
      )}
      {hasNextPage && isBrief && changes.length > 0 && changes.length < briefSize && (
        <p className="px-3 py-1.5 text-xs text-ink-3">{olderNotShown}</p>
      )}
      {hasNextPage && !isBrief && (
        <div className="border-t border-line p-2 text-center">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  )
}
