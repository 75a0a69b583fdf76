import { CircleCheck } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { usePreference } from '../../lib/storage.ts'
import { useLive } from '../../live/use-live.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useAddressSort } from '../../ui/router/use-address-sort.ts'
import { cycleSort } from '../../ui/table/sort.ts'
import { sameLevels, selectAlertLevels } from '../alerts/alert-levels.ts'
import { usePhoneRowHeight, useRowHeight } from '../screen/density.tsx'
import { narrowed } from '../grid/columns.ts'
import { Grid } from '../grid/grid.tsx'
import { machineTracks, narrowTracks } from '../nodes/machine-tracks.ts'
import { PhoneSort } from '../grid/phone-sort.tsx'
import { useNarrow, usePhone } from '../screen/use-media.ts'
import type { TrendSource } from '../trends/trend-table.ts'
import { useTrends } from '../trends/trends.tsx'
import { type SummaryTab, summaryColumns } from './columns.tsx'
import { FOLD, type FoldKey } from './fold.ts'
import { FoldRow } from './fold-row.tsx'
import { useRememberedLines } from './lines-seen.ts'
import { createSummarySelector, sameSummary, type SummaryFocus } from './order.ts'
import type { CountsByRow, SummaryRowKey } from './rows.ts'
import { SummaryLine } from './summary-line.tsx'

interface NodeSummaryProps {
  tab: SummaryTab
  /** by `nodeKey` of a node, by store id of a backup server */
  counts: CountsByRow
  selected: SummaryRowKey | undefined
  onSelect: (selected: SummaryRowKey | undefined) => void
  /** the filter; `all` shows every line without folds */
  focus?: SummaryFocus | 'all'
  /** resets the filter */
  onShowAll?: () => void
}

/** The Storage tab has no lines for backup servers. The Overview has them, but only nodes have guests. */
const showsServers: Record<SummaryTab, boolean> = { overview: true, storage: false, backups: true }
const isSelectable = (tab: SummaryTab, key: string): key is SummaryRowKey =>
  key.startsWith('pve:') || (tab === 'backups' && key.startsWith('pbs:'))
/** No table of machines follows, so the columns do not have to be aligned with one. */
const hasOwnTracks = (tab: SummaryTab) => tab === 'backups'
const isFold = (key: string): key is FoldKey => key.startsWith('fold:')

const nodeTrends: TrendSource = {
  rows: 'pve',
  kind: 'nodes',
  fields: ['cpu', 'memory', 'disk', 'temperature'],
}
const serverTrends: TrendSource = { rows: 'pbs', kind: 'pbs', fields: ['cpu', 'memory'] }
const trendSources: Record<SummaryTab, readonly TrendSource[]> = {
  overview: [nodeTrends, serverTrends],
  storage: [nodeTrends],
  backups: [nodeTrends, serverTrends],
}

const none: ReadonlySet<FoldKey> = new Set()
const everyColumn = { withPbs: true, withTemperature: true }
/** Lines that stay visible while healthy ones are folded, so that the guests begin on the first screen. */
const ROOM = 6
const PHONE_ROOM = 3

/** All nodes, above Overview, Storage and Backups. A click on a node filters the page. */
export function NodeSummary({ tab, counts, selected: wanted, onSelect, focus, onShowAll }: NodeSummaryProps) {
  const sortable = useMemo(() => summaryColumns(tab, everyColumn), [tab])
  const [sort, setSort] = useAddressSort('node', sortable, undefined)
  const phone = usePhone()
  const rowHeight = useRowHeight()
  const phoneRowHeight = usePhoneRowHeight()
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const [unfoldedText, setUnfolded] = usePreference('nodesUnfolded')
  const unfolded = unfoldedText === 'true'
  const room = focus === 'all' ? undefined : phone ? PHONE_ROOM : ROOM
  const [opened, setOpened] = useState<ReadonlySet<FoldKey>>(none)
  const [select] = useState(createSummarySelector)
  const column = sort && sortable.find(({ id }) => id === sort.key)
  const { keys, folds, withPbs, withTemperature } = useLive(
    ['nodes', 'pbs', 'datastores', 'storage', 'physicalDisks', 'activeAlerts'],
    useCallback(
      (live) =>
        select(live, {
          sort,
          column,
          counts,
          servers: showsServers[tab],
          alerts,
          focus: focus === 'all' ? undefined : focus,
          room,
          unfolded,
          opened,
          selected: wanted,
        }),
      [select, tab, sort, column, counts, alerts, focus, room, unfolded, opened, wanted],
    ),
    sameSummary,
  )
  useRememberedLines(keys.length)
  const isOwn = useNarrow() || hasOwnTracks(tab)
  const columns = useMemo(() => {
    const all = summaryColumns(tab, { withPbs, withTemperature })
    return isOwn ? narrowed(all) : all
  }, [tab, withPbs, withTemperature, isOwn])
  const underlay = useTrends({ sources: trendSources[tab], columns, phone })
  const selected = wanted && keys.includes(wanted) ? wanted : undefined
  const foldAt = (key: FoldKey) => folds.find((fold) => fold.key === key)!
  const toggleFold = (key: FoldKey) => {
    if (key === FOLD) setUnfolded(unfolded ? 'false' : 'true')
    else setOpened(new Set(opened.has(key) ? [...opened].filter((one) => one !== key) : [...opened, key]))
  }

  if (keys.length === 0 && focus && focus !== 'all') {
    return (
      <Card>
        <NoLines focus={focus} onShowAll={onShowAll} />
      </Card>
    )
  }
  return (
    <Card className="overflow-clip">
      {phone && (
        <div className="flex justify-end border-b border-line bg-sunken px-3 py-1.5">
          <PhoneSort
            label="Sort nodes by"
            columns={columns}
            sort={sort}
            unsorted="Default order"
            onChange={setSort}
            className="w-64"
          />
        </div>
      )}
      <Grid
        label={tab === 'backups' ? 'Nodes and backup servers' : 'Nodes'}
        columns={columns}
        sort={sort}
        onSort={(column) => setSort(cycleSort(sort, column))}
        rows={keys}
        heightOf={(key) => (phone && !isFold(key) ? phoneRowHeight : rowHeight)}
        kindOf={(key) => ({
          focusable: true,
          ...(isSelectable(tab, key) && { selected: key === selected }),
        })}
        renderRow={(key, { tabIndex }) =>
          isFold(key) ? (
            <FoldRow
              fold={foldAt(key)}
              colSpan={columns.length}
              tabIndex={tabIndex}
              onToggle={() => toggleFold(key)}
            />
          ) : (
            <SummaryLine
              rowKey={key}
              columns={columns}
              counts={counts}
              alerts={alerts}
              selected={key === selected}
              dimmed={selected !== undefined && key !== selected}
              phone={phone}
              tabIndex={tabIndex}
            />
          )
        }
        onActivate={(key) => {
          if (isFold(key)) toggleFold(key)
          else if (isSelectable(tab, key)) onSelect(key === selected ? undefined : key)
        }}
        underlay={underlay}
        minWidth={(isOwn ? narrowTracks : machineTracks).minWidth}
        phone={phone}
      />
    </Card>
  )
}

interface NoLinesProps {
  focus: Exclude<SummaryFocus, undefined>
  onShowAll: (() => void) | undefined
}

const words = { unreachable: 'All nodes are reachable.', attention: 'No node needs attention.' } as const

/** Replaces an empty table, with a button that shows all lines. */
function NoLines({ focus, onShowAll }: NoLinesProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-table text-ink-2">
      <CircleCheck aria-hidden size={14} className="shrink-0 text-green" />
      <span role="status">{words[focus]}</span>
      {onShowAll && (
        <Button className="ml-auto" onClick={onShowAll}>
          Show everything
        </Button>
      )}
    </div>
  )
}
