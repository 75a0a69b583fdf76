import type { ProtectionWord } from '@pulse/domain'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import type { LiveReader } from '../../../live/store.ts'
import { useLive } from '../../../live/use-live.ts'
import type { GridHandle } from '../../../parts/grid/grid.tsx'
import { FigureButton } from '../../../parts/filter-bar/figure-button.tsx'
import { PageKeys } from '../../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../../parts/keys/table-keys.ts'
import { LiveCard } from '../../../parts/live-page/live-page.tsx'
import { usePhone } from '../../../parts/screen/use-media.ts'
import { SearchBox } from '../../../parts/search/search-box.tsx'
import { SiteTips } from '../../../parts/search/site-tips.tsx'
import { siteOfSources, useSites } from '../../../parts/sources/sites.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useAddressSort } from '../../../ui/router/use-address-sort.ts'
import { useAddressText } from '../../../ui/router/use-address-text.ts'
import { useAddressValue } from '../../../ui/router/use-address.ts'
import type { Sort } from '../../../ui/table/sort.ts'
import { toneText } from '../../../ui/tone-class.ts'
import { createGuestNames, type GuestNames } from '../../../parts/backups/guest-names.ts'
import { FailureTable } from './failure-table.tsx'
import { type ProtectionColumnId, protectionColumns } from './protection-columns.tsx'
import {
  countWords,
  createProtectionSelector,
  type ProtectionCounts,
  type ProtectionFilter,
  type ProtectionQuery,
} from './protection-list.ts'
import { ProtectionTable } from './protection-table.tsx'
import { ReplicationTable } from './replication-table.tsx'
import { wordReasons, wordTexts, wordTones } from '../../../parts/backups/protection-words.ts'

const filters = ['all', 'attention', ...(Object.keys(wordTexts) as ProtectionWord[])] as const
const worstFirst: Sort<ProtectionColumnId> = { key: 'state', direction: 'asc' }

/** Whether every guest is backed up, and which backup runs and jobs failed. */
export function ProtectionTab({ node, server }: Pick<ProtectionQuery, 'node' | 'server'>) {
  const phone = usePhone()
  const [filter = 'all', setFilter] = useAddressValue('guests', filters)
  const [search, setSearch] = useAddressText('guest')
  const [sort, setSort] = useAddressSort('guest', protectionColumns, worstFirst)
  const [namesOf] = useState(createGuestNames)
  const sites = useSites()
  const siteOf = useMemo(() => siteOfSources(sites), [sites])
  const list = useProtectionList(
    { filter, search: useDeferredValue(search), siteOf, node, server, sort },
    namesOf,
  )
  const counts = useMemo(() => countWords(list.counts), [list.counts])
  const box = useRef<HTMLInputElement>(null)
  const table = useRef<GridHandle>(null)
  const reset = () => {
    setFilter(undefined)
    setSearch('')
    setSort(worstFirst)
  }
  return (
    <>
      <PageKeys keys={tableKeys} focusSearch={() => box.current?.focus()} onEscape={reset} />
      <div className="flex flex-wrap items-center gap-2">
        <Figures counts={counts} filter={filter} onFilter={setFilter} />
        <div className="flex min-w-60 flex-1 basis-64 sm:max-w-96 sm:ml-auto">
          <SearchBox
            label="Search guests"
            placeholder="Search guests"
            value={search}
            onChange={setSearch}
            history="backups"
            inputRef={box}
            onLeaveDown={() => table.current?.enter()}
            tips={
              <SiteTips
                intro="Type any part of a name, number, connection, backup location or error."
                things="guests"
              />
            }
          />
        </div>
      </div>
      <LiveCard>
        {list.rows.length > 0 ? (
          <ProtectionTable
            rows={list.rows}
            namesOf={namesOf}
            sort={sort}
            onSort={setSort}
            phone={phone}
            handle={table}
          />
        ) : (
          <EmptyState
            announce
            title="No guests found"
            action={filter !== 'all' || search ? <Button onClick={reset}>Reset filters</Button> : undefined}
          >
            {counts.all === 0
              ? 'No data about guests and their backups yet.'
              : 'No guests match your current filters'}
          </EmptyState>
        )}
      </LiveCard>
      <FailureTable phone={phone} />
      <ReplicationTable namesOf={namesOf} phone={phone} />
    </>
  )
}

function useProtectionList(
  { filter, search, siteOf, node, server, sort: { key, direction } }: ProtectionQuery,
  namesOf: (live: LiveReader) => GuestNames,
) {
  const select = useMemo(
    () =>
      createProtectionSelector({ filter, search, siteOf, node, server, sort: { key, direction } }, namesOf),
    [filter, search, siteOf, node, server, key, direction, namesOf],
  )
  return useLive(
    ['protections', 'guests'],
    useCallback((live: LiveReader) => select(live), [select]),
  )
}

interface FiguresProps {
  counts: ProtectionCounts
  filter: ProtectionFilter
  onFilter: (filter: ProtectionFilter | undefined) => void
}

/** Each figure filters by its guests; pressing it again shows all. */
function Figures({ counts, filter, onFilter }: FiguresProps) {
  const words = (Object.keys(wordTexts) as ProtectionWord[]).filter(
    (word) => counts.words.has(word) || filter === word,
  )
  const figure = (key: ProtectionFilter, label: string, count: number, hint: string) => (
    <li key={key}>
      <FigureButton
        pressed={filter === key}
        onPress={() => onFilter(filter === key ? undefined : key)}
        hint={hint}
      >
        <span
          className={cx(
            'font-semibold tabular-nums',
            key in wordTones ? toneText[wordTones[key as ProtectionWord]] : 'text-ink',
          )}
        >
          {formatNumber(count)}
        </span>{' '}
        {label}
      </FigureButton>
    </li>
  )
  return (
    <ul aria-label="Guests by protection" className="flex flex-wrap items-center gap-1">
      {figure('all', counts.all === 1 ? 'guest' : 'guests', counts.all, 'Show all guests')}
      {figure(
        'attention',
        counts.attention === 1 ? 'needs attention' : 'need attention',
        counts.attention,
        'Show only guests that need attention',
      )}
      {words.map((word) => figure(word, wordTexts[word], counts.words.get(word) ?? 0, wordReasons[word]))}
    </ul>
  )
}
