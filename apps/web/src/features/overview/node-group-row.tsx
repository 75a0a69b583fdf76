import { isEqual } from '@pulse/domain'
import { memo, useCallback } from 'react'
import { formatNumber, percentParts } from '../../lib/format.ts'
import { toneOf, type ToneScale } from '../../lib/tones.ts'
import { useLive } from '../../live/use-live.ts'
import { cellClass, Uptime } from '../../parts/cells/cells.tsx'
import { rowClass } from '../../parts/grid/columns.ts'
import { GroupFrame, NodeTitle } from '../../parts/node-summary/group-head.tsx'
import { type Count, tallyGuests, tallyKinds } from './guest-tally.ts'
import { Offline } from '../../parts/cells/outage.tsx'
import type { SummaryRow } from '../../parts/node-summary/rows.ts'
import { useNodeId, useNodeRow } from '../../parts/node-summary/use-node-row.ts'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'

interface NodeGroupRowProps {
  nodeKey: string
  colSpan: number
  phone: boolean
  /** no rate columns, which otherwise hold the counts */
  narrow: boolean
  /** the guest counts are ready */
  counted: boolean
  tabIndex: 0 | -1
}

/** Head of a node's guests: name, and figures in the columns of the rows. */
export const NodeGroupRow = memo(function NodeGroupRow({ nodeKey, counted, ...props }: NodeGroupRowProps) {
  const row = useNodeRow(nodeKey)
  const id = useNodeId(nodeKey)
  const count = useLive(
    tallyKinds,
    useCallback((live) => (counted ? tallyGuests(live).byNode.get(nodeKey) : undefined), [nodeKey, counted]),
    isEqual,
  )
  const name = row?.name ?? nodeKey.slice(nodeKey.indexOf('\0') + 1)
  return <Group id={id} name={name} row={row} count={count} {...props} />
})

type GroupProps = Omit<NodeGroupRowProps, 'nodeKey' | 'counted'> & {
  id: string | undefined
  name: string
  row: SummaryRow | undefined
  count: Readonly<Count> | undefined
}

/** `row` is undefined if only guests name the node. */
function Group({ id, name, row, count, colSpan, phone, narrow, tabIndex }: GroupProps) {
  const title = <NodeTitle name={name} row={row} id={id} tabIndex={tabIndex} />
  const counts = (
    <span
      className={cx(
        'truncate text-ink-3 tabular-nums',
        narrow ? 'ml-auto min-w-8' : cellClass('col-span-4 text-right'),
      )}
    >
      {count && countText(count)}
    </span>
  )
  return (
    <GroupFrame colSpan={colSpan} row={row}>
      {phone ? (
        <span className="flex h-full items-center gap-2 px-3">
          {title}
          <span className="ml-auto flex gap-2 whitespace-nowrap text-ink-3 tabular-nums">
            {row?.outage === 'offline' && <Offline since={row.offlineSince} />}
            {count && countText(count)}
          </span>
        </span>
      ) : (
        <span className={rowClass()}>
          <span className={cellClass('col-span-3 flex items-center gap-2 pl-3')}>
            {title}
            {narrow && counts}
          </span>
          <span className={figureClass}>
            <Uptime startedAt={row?.startedAt} stale={row?.staleSince !== undefined} />
          </span>
          {row?.outage === 'offline' ? (
            <span className={cellClass('col-span-3')}>
              <Offline since={row.offlineSince} />
            </span>
          ) : (
            <Figures row={row} />
          )}
          {!narrow && counts}
        </span>
      )}
    </GroupFrame>
  )
}

const figureClass = cellClass('text-right whitespace-nowrap text-ink-2 tabular-nums')

function Figures({ row }: { row: SummaryRow | undefined }) {
  const stale = row?.staleSince !== undefined
  return (
    <>
      <Figure label="CPU" scale="cpu" percent={row?.cpuPercent} stale={stale} />
      <Figure label="Memory" scale="memory" percent={row?.memory?.percent} stale={stale} />
      <Figure label="Disk" scale="disk" percent={row?.disk?.percent} stale={stale} />
    </>
  )
}

interface FigureProps {
  label: string
  scale: ToneScale
  percent: number | undefined
  stale: boolean
}

/** Without a bar: only rows have bars. */
function Figure({ label, scale, percent, stale }: FigureProps) {
  const tone = toneOf(scale, percent)
  const { figure, unit } = percentParts(percent)
  return (
    <span className={cx(figureClass, !stale && tone !== 'neutral' && `font-medium ${toneText[tone]}`)}>
      <span className="sr-only">{label} </span>
      {figure}
      <span className="text-ink-3">{unit}</span>
    </span>
  )
}

/** '12 of 15 running', '15 unreachable', or '3 of 3 running, 2 unknown' */
function countText({ running, stopped, unreachable, unheard }: Readonly<Count>): string {
  const reachable = running + stopped - unreachable
  const parts = [
    reachable > 0 && `${formatNumber(running)} of ${formatNumber(reachable)} running`,
    unreachable > 0 && `${formatNumber(unreachable)} unreachable`,
    unheard > 0 && `${formatNumber(unheard)} unknown`,
  ]
  return parts.filter(Boolean).join(', ')
}
