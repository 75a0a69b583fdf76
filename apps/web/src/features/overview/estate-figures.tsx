import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isEqual } from '@pulse/domain'
import { formatNumber } from '../../lib/format.ts'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { FigureButton } from '../../parts/filter-bar/figure-button.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { type Estate, estateKinds, type Machines, selectEstate } from './estate.ts'

export type EstateFigure = 'nodes' | 'running' | 'stopped' | 'unreachable' | 'attention'

interface EstateFiguresProps {
  /** the active filter */
  pressed: EstateFigure | undefined
  onPress: (figure: EstateFigure) => void
}

/**
 * Key figures above the tables, counted after the tables have rendered. Pressing one filters by what it
 * counts; pressing it again clears the filter.
 */
export function EstateFigures({ pressed, onPress }: EstateFiguresProps) {
  const counted = useAfterFirstPaint()
  const estate = useLive(counted ? estateKinds : noKinds, counted ? selectEstate : selectNothing, isEqual)
  return (
    <div
      role="group"
      aria-label="Summary"
      className={cx('flex flex-wrap items-center gap-1', !counted && 'invisible')}
    >
      {figures.map(({ id, label, hint, icon, count, alarm }) => {
        const alarmed = alarm?.(estate) ?? false
        return (
          <FigureButton key={id} pressed={pressed === id} onPress={() => onPress(id)} hint={hint}>
            {icon(alarmed)}
            {label}{' '}
            <span className={cx('font-semibold', pressed !== id && (alarmed ? 'text-red' : 'text-ink'))}>
              {count(estate)}
            </span>
          </FigureButton>
        )
      })}
    </div>
  )
}

/** Keeps the layout until the counts arrive. */
const noEstate: Estate = {
  nodes: 0,
  running: 0,
  stopped: 0,
  unreachable: { nodes: 0, guests: 0 },
  attention: { nodes: 0, guests: 0 },
}
const noKinds = [] as const
const selectNothing = () => noEstate

interface Figure {
  id: EstateFigure
  label: string
  hint: string
  icon(alarmed: boolean): ReactNode
  count(estate: Estate): string
  alarm?(estate: Estate): boolean
}

const dot = (tone: 'green' | 'neutral' | 'red', ring: boolean) => (
  <span aria-hidden className="inline-flex">
    <StatusDot tone={tone} label="" ring={ring} />
  </span>
)

const figures: readonly Figure[] = [
  {
    id: 'nodes',
    label: 'Nodes',
    hint: 'Show all nodes, without guests',
    icon: () => null,
    count: ({ nodes }) => formatNumber(nodes),
  },
  {
    id: 'running',
    label: 'Running',
    hint: 'Show only running guests',
    icon: () => dot('green', false),
    count: ({ running }) => formatNumber(running),
  },
  {
    id: 'stopped',
    label: 'Stopped',
    hint: 'Show only guests that are stopped, or count as stopped',
    icon: () => dot('neutral', true),
    count: ({ stopped }) => formatNumber(stopped),
  },
  {
    id: 'unreachable',
    label: 'Unreachable',
    hint: 'Show only nodes that are off or do not answer, and their guests',
    icon: (alarmed) => dot(alarmed ? 'red' : 'neutral', true),
    count: ({ unreachable }) => machines(unreachable),
    alarm: ({ unreachable }) => sum(unreachable) > 0,
  },
  {
    id: 'attention',
    label: 'Need attention',
    hint: 'Show only items that are unreachable, alerting, stale or critical',
    icon: (alarmed) => (
      <TriangleAlert aria-hidden size={13} className={cx('shrink-0', alarmed ? 'text-red' : 'text-ink-3')} />
    ),
    count: ({ attention }) => machines(attention),
    alarm: ({ attention }) => sum(attention) > 0,
  },
]

const sum = ({ nodes, guests }: Machines) => nodes + guests

/** '1 node, 14 guests', '14 guests', '0' */
function machines({ nodes, guests }: Machines): string {
  const parts = [nodes > 0 && counted(nodes, 'node'), guests > 0 && counted(guests, 'guest')]
  return parts.filter(Boolean).join(', ') || '0'
}

const counted = (count: number, one: string) => `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`
