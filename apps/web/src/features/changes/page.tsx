import { type RecordKind, recordKinds } from '@pulse/contract'
import { History } from 'lucide-react'
import { useCallback, useDeferredValue, useRef } from 'react'
import { Queries } from '../../api/queries.tsx'
import { formatMoment, formatNumber } from '../../lib/format.ts'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { readTime, readTimes } from '../../lib/times.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { kindLabel } from '../../parts/changes/change-kinds.ts'
import { ChangeList } from '../../parts/changes/change-list.tsx'
import { allChanges, untilMoment, useChanges } from '../../parts/changes/use-changes.ts'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../parts/keys/table-keys.ts'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { SiteTips } from '../../parts/search/site-tips.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed, LoadingRows } from '../../ui/panel.tsx'
import { useAddress } from '../../ui/router/use-address.ts'
import { useAddressText } from '../../ui/router/use-address-text.ts'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { Select } from '../../ui/select.tsx'
import { SideScroll } from '../../ui/side-scroll.tsx'
import { SpanForm } from '../../ui/span-form.tsx'
import { optionsOf } from './filters.ts'
import { FullFirst } from './full-first.tsx'
import { GrownMost } from './grown.tsx'
import { useChangeSearch } from './search.ts'
import { type ChangesRange, ranges, spanOf } from './span.ts'

const pageSize = 200
const renewMs = 60_000

/** What changed in the whole estate. */
export function ChangesPage() {
  return (
    <div className="flex flex-col gap-3 py-3">
      <h1 className="sr-only">What changed</h1>
      <Queries>
        <Changes />
      </Queries>
    </div>
  )
}

function Changes() {
  const clock = useClock()
  const moment = useMoment()
  const { params, set } = useAddress()
  const times = readTimes(params.get('from'), params.get('to'))
  const alertAt = times && readTime(params.get('alert'))
  const shownTimes = times && untilMoment(times, moment)
  const isAlertShown =
    shownTimes && alertAt !== undefined && alertAt >= shownTimes.from && alertAt < shownTimes.to
  const named = ranges.find(({ value }) => value === params.get('range'))?.value
  const range: ChangesRange = times ? 'custom' : named && named !== 'custom' ? named : 'yesterday'
  const [kind, what] = [params.get('kind') ?? 'all', params.get('what') ?? 'all']
  // an id alone does not say what it is of
  const id = kind === 'all' ? undefined : (params.get('id') ?? undefined)
  const liveName = useLiveName(kind, id)
  const [search, setSearch] = useAddressText('search')
  const matches = useChangeSearch(useDeferredValue(search))
  const input = useRef<HTMLInputElement>(null)
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useChanges({
      key: times ? `${times.from} ${times.to}` : range,
      span: (now) => times ?? spanOf(range, now),
      filter: {
        ...(kind !== 'all' && { kind }),
        ...(what !== 'all' && { what }),
        ...(id !== undefined && { id }),
      },
      pageSize,
      renewMs: times ? undefined : renewMs,
    })
  const first = data?.pages[0]
  const all = allChanges(data?.pages)
  const shown = matches ? all.filter(matches) : all
  const counted = { counts: first?.counts, isPartial: first?.isCountPartial }
  const choose = (next: ChangesRange) => {
    const span = next === 'custom' ? (times ?? untilMoment(spanOf(range, clock()), moment)) : undefined
    const alert = span && params.get('alert')
    set({
      range: span ? undefined : next,
      from: span && `${span.from}`,
      to: span && `${span.to}`,
      alert: alert ?? undefined,
    })
  }
  const filter = (name: 'kind' | 'what') => (value: string) =>
    set({ [name]: value === 'all' ? undefined : value, ...(name === 'kind' && { id: undefined }) })

  return (
    <>
      <PageKeys keys={tableKeys} focusSearch={() => input.current?.focus()} onEscape={() => setSearch('')} />
      <div className="flex flex-wrap items-center gap-2">
        <div className="max-w-full min-w-0">
          <SideScroll>
            <SegmentedToggle label="Time" value={range} options={ranges} onChange={choose} />
          </SideScroll>
        </div>
        <Select
          hideLabel
          label="Kind"
          value={kind}
          options={optionsOf(counted, 'kind', what, kind)}
          onChange={filter('kind')}
        />
        <Select
          hideLabel
          label="Change"
          value={what}
          options={optionsOf(counted, 'what', kind, what)}
          onChange={filter('what')}
        />
        <div className="flex min-w-0 flex-1 basis-52">
          <SearchBox
            label="Search changes"
            placeholder="Search by name"
            value={search}
            onChange={setSearch}
            history="changes"
            inputRef={input}
            tips={<SiteTips intro="Type any part of a name." things="changes" />}
          />
        </div>
      </div>
      {times && (
        <SpanForm
          key={`${times.from} ${times.to}`}
          span={times}
          onChoose={({ from, to }) => set({ from: `${from}`, to: `${to}` })}
        />
      )}
      {id !== undefined && (
        <FilterChip onClear={() => set({ id: undefined })}>
          <span className="min-w-0 truncate font-medium">
            {`Only ${kindLabel(kind)} ${all[0]?.name ?? liveName ?? id}`}
          </span>
        </FilterChip>
      )}
      {error && data && (
        <Notice
          tone="yellow"
          title="Changes could not be refreshed"
          action={<Button onClick={() => void refetch()}>Retry</Button>}
        >
          {error.message}
        </Notice>
      )}
      {first?.oldest !== undefined && first.oldest > first.from && (
        <p
          role="note"
          className="text-xs text-ink-2"
        >{`The log of changes begins ${formatMoment(first.oldest)}.`}</p>
      )}
      <div className="flex flex-col gap-3 lg:flex-row-reverse lg:items-start">
        <div className="flex flex-col gap-3 empty:hidden max-lg:w-full lg:w-80 lg:shrink-0">
          {first?.grown && <GrownMost grown={first.grown} />}
          <FullFirst />
        </div>
        <Card
          aria-label="Changes"
          aria-busy={isPlaceholderData}
          className="min-w-0 flex-1 overflow-clip max-lg:w-full"
        >
          <h2 className="sr-only">Changes</h2>
          {!data && error ? (
            <LoadFailed
              title="Changes could not be loaded"
              reason={error.message}
              onRetry={() => void refetch()}
            />
          ) : !data ? (
            <LoadingRows label="Loading changes" count={10} />
          ) : (
            <>
              {(shown.length > 0 || isAlertShown) && (
                <ChangeList changes={shown} now={clock()} alertAt={isAlertShown ? alertAt : undefined} />
              )}
              {shown.length === 0 && (
                <EmptyState title="No changes" icon={<History size={24} />}>
                  {hasNextPage
                    ? 'Nothing matches so far. Show more to search older changes.'
                    : all.length > 0 || kind !== 'all' || what !== 'all'
                      ? 'Nothing matches these filters.'
                      : 'Nothing changed in this time.'}
                </EmptyState>
              )}
            </>
          )}
          {hasNextPage && (
            <div className="border-t border-line p-2 text-center">
              <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? 'Loading…' : 'Show more'}
              </Button>
            </div>
          )}
        </Card>
      </div>
      {data && (
        <p className="text-xs text-ink-3 tabular-nums">
          {`${formatNumber(shown.length)} ${shown.length === 1 ? 'change' : 'changes'}${hasNextPage ? ' so far' : ''}`}
        </p>
      )}
    </>
  )
}

const noKinds: readonly RecordKind[] = []

/** The name of a thing that is there now, whatever the address asks for. */
function useLiveName(kind: string, id: string | undefined): string | undefined {
  const known = recordKinds().find((one) => one === kind)
  return useLive(
    known ? [known] : noKinds,
    useCallback(
      (live: LiveReader) => {
        const record = known && id !== undefined ? live.get(known, id) : undefined
        return record && 'name' in record && record.name !== '' ? record.name : undefined
      },
      [known, id],
    ),
  )
}
