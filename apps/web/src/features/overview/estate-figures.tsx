import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isEqual } from '@pulse/domain'
import { formatNumber } from '../../lib/format.ts'
import { useLive } from '../../live/use-live.ts'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { type Estate, estateKinds, type Machines, selectEstate } from './estate.ts'

export type EstateFigure = 'nodes' | 'running' | 'stopped' | 'unreachable' | 'attention'

interface EstateFiguresProps {
  /** the one that decides what is shown */
  pressed: EstateFigure | undefined
  onPress: (figure: EstateFigure) => void
}

/** How the estate is, before any table; each figure leaves what it counts, pressed again it lets the rest back in. */
export function EstateFigures({ pressed, onPress }: EstateFiguresProps) {
  const estate = useLive(estateKinds, selectEstate, isEqual)
  return (
    <div role="group" aria-label="Summary" className="-mx-1 flex flex-wrap items-center gap-x-1">
      {figures.map(({ id, hint, mark, parts, alarm }) => {
        const alarmed = alarm?.(estate) ?? false
        const [figure, label] = parts(estate)
        return (
          <button
            key={id}
            type="button"
            aria-pressed={pressed === id}
            onClick={() => onPress(id)}
            className={cx(
              'figure inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-table whitespace-nowrap tabular-nums',
              pressed === id ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
            )}
            {...tip(hint)}
          >
            {mark(alarmed)}
            <span>
              <span className={cx('font-semibold', pressed !== id && (alarmed ? 'text-red' : 'text-ink'))}>
                {figure}
              </span>{' '}
              {label}
            </span>
          </button>
        )
      })}
    </div>
  )
}

interface Figure {
  id: EstateFigure
  hint: string
  mark(alarmed: boolean): ReactNode
  /** what is counted, and as what */
  parts(estate: Estate): [figure: string, label: string]
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
    hint: 'Show all nodes, without guests',
    mark: () => null,
    parts: ({ nodes }) => [formatNumber(nodes), nodes === 1 ? 'node' : 'nodes'],
  },
  {
    id: 'running',
    hint: 'Show only guests that run',
    mark: () => dot('green', false),
    parts: ({ running }) => [formatNumber(running), 'running'],
  },
  {
    id: 'stopped',
    hint: 'Show only guests that are stopped, or count as stopped',
    mark: () => dot('neutral', true),
    parts: ({ stopped }) => [formatNumber(stopped), 'stopped'],
  },
  {
    id: 'unreachable',
    hint: 'Show only nodes that are off or do not answer, and their guests',
    mark: (alarmed) => dot(alarmed ? 'red' : 'neutral', true),
    parts: ({ unreachable }) => [machines(unreachable), 'unreachable'],
    alarm: ({ unreachable }) => sum(unreachable) > 0,
  },
  {
    id: 'attention',
    hint: 'Show only what is unreachable, has an alert, brings old figures or has one in the red',
    mark: (alarmed) => (
      <TriangleAlert aria-hidden size={13} className={cx('shrink-0', alarmed ? 'text-red' : 'text-ink-3')} />
    ),
    parts: ({ attention }) => [
      machines(attention),
      sum(attention) === 1 ? 'needs attention' : 'need attention',
    ],
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
