import { useCallback, useMemo, useState } from 'react'
import { useConnection, useIds, useLive } from '../../../live/use-live.ts'
import { useRowHeight } from '../../../parts/screen/density.tsx'
import { type GridColumn, narrowed } from '../../../parts/grid/columns.ts'
import { Grid, type RowKind } from '../../../parts/grid/grid.tsx'
import { parseRow } from '../../../parts/list/expansion.ts'
import type { ListRow } from '../../../parts/list/list-selector.ts'
import { GroupFrame } from '../../../parts/node-summary/group-head.tsx'
import { useNarrow, usePhone } from '../../../parts/screen/use-media.ts'
import { formatNumber } from '../../../lib/format.ts'
import { siteOfSources, useSites } from '../../../parts/sources/sites.tsx'
import { rem } from '../../../lib/text-scale.ts'
import { Card } from '../../../ui/card.tsx'
import { useConfig } from '../config-edits.tsx'
import { BackTestOf } from './back-test.tsx'
import { DefaultsRow } from './defaults-row.tsx'
import { DelayRow } from './delay-row.tsx'
import type { DelayKind } from './delay.ts'
import { absentResources } from './absent.ts'
import { createResourceSelector } from './resource-list.ts'
import { AbsentRow, ResourceRow, WaitingRow } from './resource-row.tsx'
import type { Metric } from './metrics.ts'
import { groupKinds, groupName } from './resources.ts'
import type { ThresholdTable as Table } from './tables.ts'
import { useUnanswered } from './unanswered.ts'

type Row = ListRow<'defaults' | 'delays' | 'resource' | 'group' | 'waiting' | 'gone' | 'none'>

/** px at the default text size */
const NAME_WIDTH = 172
const ACTIONS_WIDTH = 124
/** three icon buttons */
const NARROW_ACTIONS_WIDTH = 104
const METRIC_WIDTH = 76
/** of all columns but the name and the metrics; a narrow window leaves names more room for large letters */
const OTHERS_WIDTH = 280
const NARROW_OTHERS_WIDTH = 300
const LETTER_WIDTH = 6.5

/** Wide enough for the column head. */
const metricWidth = ({ header }: Metric) =>
  Math.max(METRIC_WIDTH, Math.ceil(header.length * LETTER_WIDTH) + 16)

interface ThresholdTableProps {
  table: Table
  search: string
}

/** A table's defaults, and below them the resources with their overrides. */
export function ThresholdTable({ table, search }: ThresholdTableProps) {
  const { kind, title, metrics, noun } = table
  const phone = usePhone()
  const rowHeight = useRowHeight()
  const [delaysShown, setDelaysShown] = useState(false)
  const { rows: found, groupSizes } = useResources(table, search)
  const unanswered = useUnanswered(kind)
  const missing = search.trim() ? noIds : unanswered
  const absent = useAbsent(table, search, unanswered)
  const narrow = useNarrow()
  const columns = useMemo(() => (narrow ? narrowed : asTheyAre)(columnsOf(table)), [table, narrow])

  const rows = useMemo(
    (): readonly Row[] => [
      'defaults:',
      ...(delaysShown ? (['delays:'] as const) : []),
      ...found,
      ...missing.map((id) => `waiting:${id}` as const),
      ...(absent.length > 0
        ? ([`group:${absentGroup}`, ...absent.map((id) => `gone:${id}` as const)] as const)
        : []),
      ...(found.length + missing.length + absent.length === 0 ? (['none:'] as const) : []),
    ],
    [delaysShown, found, missing, absent],
  )
  const kindOf = (row: Row): RowKind => {
    const [name] = parseRow(row)
    const isGroup = name === 'group'
    return { focusable: name !== 'none' && name !== 'delays', pins: isGroup, level: isGroup ? 1 : 2 }
  }
  const heightOf = (row: Row) => {
    if (row.startsWith('group:')) return rowHeight
    if (phone) return undefined
    return row === 'defaults:' ? rowHeight + 6 : rowHeight
  }
  return (
    <Card id={sectionId(kind)} aria-label={title} className="scroll-mt-16 overflow-clip">
      <header className="border-b border-line px-3 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
      </header>
      <Grid
        label={title}
        columns={columns}
        sort={undefined}
        onSort={() => undefined}
        rows={rows}
        kindOf={kindOf}
        heightOf={heightOf}
        tree={groupKinds[kind] !== undefined}
        onActivate={() => undefined}
        minWidth={
          NAME_WIDTH +
          (narrow ? NARROW_OTHERS_WIDTH : OTHERS_WIDTH) +
          metrics.reduce((sum, metric) => sum + metricWidth(metric), 0)
        }
        phone={phone}
        renderRow={(row, { tabIndex }) => {
          const [name, id] = parseRow(row)
          const shared = { table, phone, tabIndex }
          if (name === 'defaults')
            return <DefaultsRow {...shared} delaysShown={delaysShown} onShowDelays={setDelaysShown} />
          if (name === 'delays') return hasDelays(table) && <DelayRow table={table} phone={phone} />
          if (name === 'group') {
            return (
              <GroupHead
                table={table}
                group={id}
                size={groupSizes.get(id) ?? absent.length}
                span={columns.length}
              />
            )
          }
          if (name === 'none')
            return <Nothing>{search.trim() ? `No ${noun} match the search` : `No ${noun} yet`}</Nothing>
          if (name === 'waiting') return <WaitingRow {...shared} id={id} />
          return name === 'gone' ? <AbsentRow {...shared} id={id} /> : <ResourceRow {...shared} id={id} />
        }}
      />
      <BackTestOf table={table} />
    </Card>
  )
}

const asTheyAre = (columns: readonly GridColumn[]) => columns

export const sectionId = (name: string) => `thresholds-${name}`

const hasDelays = (table: Table): table is Table & { delays: DelayKind } => table.delays !== undefined

function columnsOf({ metrics, offline }: Table): readonly GridColumn[] {
  const column = (id: string, header: string, track: string, end?: true): GridColumn => ({
    id,
    header,
    track,
    firstDirection: 'asc',
    unsorted: true,
    ...(end && { align: 'end' }),
  })
  return [
    column('on', 'Alerts', '3.75rem'),
    { ...column('name', 'Name', `minmax(${rem(NAME_WIDTH)}, 3fr)`), sticky: 'start' },
    ...metrics.map((metric) =>
      column(metric.key, metric.header, `minmax(${rem(metricWidth(metric))}, 1fr)`, true),
    ),
    ...(offline ? [column('offline', 'Offline', '5rem')] : []),
    {
      ...column('actions', 'Actions', rem(ACTIONS_WIDTH), true),
      narrow: rem(NARROW_ACTIONS_WIDTH),
      sticky: 'end',
    },
  ]
}

function useResources({ kind }: Table, search: string) {
  const sites = useSites()
  const select = useMemo(
    () => createResourceSelector(kind, search, siteOfSources(sites)),
    [kind, search, sites],
  )
  const groupKind = groupKinds[kind]
  return useLive(groupKind ? [kind, groupKind] : [kind], select)
}

const absentGroup = '\0gone'
const noIds: readonly string[] = []

/** Waits until the reported resources are known. */
function useAbsent({ kind }: Table, search: string, unanswered: readonly string[]): readonly string[] {
  const { config } = useConfig()
  const ids = useIds(kind)
  const isKnown = useConnection(({ initialDataReceived }) => initialDataReceived)
  return useMemo(() => {
    if (!isKnown) return noIds
    const absent = absentResources(config, kind, new Set([...ids, ...unanswered]))
    const wanted = search.trim().toLowerCase()
    return absent.length > 0 ? absent.filter((id) => id.toLowerCase().includes(wanted)) : noIds
  }, [config, kind, ids, unanswered, isKnown, search])
}

interface GroupHeadProps {
  table: Table
  group: string
  size: number
  span: number
}

function GroupHead({ table: { kind }, group, size, span }: GroupHeadProps) {
  const groupKind = groupKinds[kind]
  const named = useLive(
    groupKind ? [groupKind] : [],
    useCallback((live) => (group === absentGroup ? undefined : groupName(live, kind, group)), [group, kind]),
  )
  const name =
    named ?? (kind === 'dockerContainers' ? 'Unassigned Docker Containers' : 'Not reported at present')
  return (
    <GroupFrame colSpan={span}>
      <span className="flex h-full items-center gap-2 px-3">
        <span className="truncate font-medium text-ink">{name}</span>
        <span className="text-ink-3 tabular-nums">{formatNumber(size)}</span>
      </span>
    </GroupFrame>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <div role="gridcell" className="flex h-full items-center border-b border-line px-3 py-2 text-xs text-ink-3">
    {children}
  </div>
)
