import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useTextScale } from '../../../lib/text-scale.ts'
import { GroupFrame } from '../../../parts/node-summary/group-head.tsx'
import { usePhoneRowHeight, useRowHeight } from '../../../parts/screen/density.tsx'
import { Grid, type GridHandle } from '../../../parts/grid/grid.tsx'
import { usePhone } from '../../../parts/screen/use-media.ts'
import { useAskWhy } from '../why/ask-why.tsx'
import { AlertRow } from './alert-row.tsx'
import type { AlertGroup } from './arrange.ts'
import type { AlertListState } from './list-state.ts'
import { SelectBox } from './select-box.tsx'

/** px; a row with buttons */
const LINE_HEIGHT = 36
/** px at the default text size; below this width the columns and the message do not fit on one line */
const COLUMNS_FROM = 720

interface AlertListProps {
  list: AlertListState
  handle: { current: GridHandle | null }
}

/** Virtualized: renders only the alerts near the viewport. */
export function AlertList({ list, handle }: AlertListProps) {
  const { rows, groups, selected, select, alerts } = list
  const askWhy = useAskWhy()
  const scale = useTextScale()
  const frame = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(frame, COLUMNS_FROM)
  const lineHeight = Math.round(LINE_HEIGHT * scale)
  const narrowHeight = usePhoneRowHeight()
  const headHeight = useRowHeight()
  const isGrouped = groups.size > 0
  return (
    <Grid
      label="Active alerts"
      columns={[]}
      sort={undefined}
      onSort={() => undefined}
      rows={rows}
      kindOf={(key) =>
        groups.has(key)
          ? { focusable: true, pins: true, level: 1 }
          : { focusable: true, level: isGrouped ? 2 : 1, selected: selected.has(key) }
      }
      heightOf={(key) => (groups.has(key) ? headHeight : narrow ? narrowHeight : lineHeight)}
      tree={isGrouped}
      renderRow={(key, { tabIndex }) => {
        const group = groups.get(key)
        if (group) return <AlertGroupRow group={group} list={list} tabIndex={tabIndex} />
        return (
          <AlertRow
            id={key}
            tabIndex={tabIndex}
            narrow={narrow}
            selected={selected.has(key)}
            onSelect={(on) => select([key], on)}
          />
        )
      }}
      onActivate={(key) => {
        const alert = alerts.get(key)
        if (alert) askWhy({ alert: key, name: alert.resourceName, text: alert.message })
      }}
      minWidth={0}
      phone
      lower
      handle={handle}
      frame={frame}
    />
  )
}

interface AlertGroupRowProps {
  group: AlertGroup
  list: AlertListState
  tabIndex: 0 | -1
}

/** Head of the alerts of one cause or node. */
function AlertGroupRow({ group: { name, ids, critical }, list, tabIndex }: AlertGroupRowProps) {
  const { isAdmin } = useSession()
  const open = new Set(list.unacknowledged)
  const mine = ids.filter((id) => open.has(id))
  const chosen = mine.filter((id) => list.selected.has(id)).length
  return (
    <GroupFrame colSpan={1}>
      <span className="flex h-full items-center gap-2 pr-3 pl-3">
        {isAdmin && (
          <SelectBox
            label={`Select all of ${name}`}
            checked={mine.length > 0 && chosen === mine.length}
            isPartly={chosen > 0 && chosen < mine.length}
            disabled={mine.length === 0}
            tabIndex={tabIndex}
            onChange={(on) => list.select(mine, on)}
          />
        )}
        <span className="truncate font-medium text-ink">{name}</span>
        <span className="text-ink-3 tabular-nums">
          {formatNumber(ids.length)} {ids.length === 1 ? 'alert' : 'alerts'}
          {critical > 0 && `, ${formatNumber(critical)} critical`}
        </span>
      </span>
    </GroupFrame>
  )
}

/** Whether an element is narrower than `leastPx` at the default text size; until measured, true on phones. */
function useNarrow(ref: RefObject<HTMLElement | null>, leastPx: number): boolean {
  const least = leastPx * useTextScale()
  const phone = usePhone()
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const width = element.clientWidth
      setNarrow(width > 0 && width < least)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, least])
  return phone || narrow
}
