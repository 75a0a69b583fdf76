import { useRef } from 'react'
import { useTextScale } from '../../../lib/text-scale.ts'
import { usePhoneRowHeight, useRowHeight } from '../../../parts/screen/density.tsx'
import { Grid, type GridHandle } from '../../../parts/grid/grid.tsx'
import { useAskWhy } from '../why/ask-why.tsx'
import { AlertGroupRow } from './alert-group-row.tsx'
import { AlertRow } from './alert-row.tsx'
import type { AlertListState } from './list-state.ts'
import { useNarrow } from './use-narrow.ts'

/** px of a line with buttons in it */
const LINE_HEIGHT = 36
/** px of usual letters, from which all columns of a line stand side by side and its message can be read */
const COLUMNS_FROM = 720

interface AlertListProps {
  list: AlertListState
  handle: { current: GridHandle | null }
}

/** However many there are, those near the window exist. */
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
