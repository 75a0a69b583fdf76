import { createElement, Fragment, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { AlertStripe } from '../alerts/alert-stripe.tsx'
import type { AlertLevel } from '../alerts/alert-levels.ts'
import { rowClass } from '../grid/columns.ts'
import { DownEdge } from '../cells/outage.tsx'
import type { Column, PhoneSlot } from './column.ts'

interface ColumnRowProps<Shown> {
  columns: readonly (Column<Shown> & { id: string })[]
  shown: Shown
  phone: boolean
  /** not running, not answering or not selected */
  dimmed?: boolean
  /** its details are open */
  open?: boolean
  selected?: boolean
  /** offline or unreachable */
  down?: boolean
  alert?: AlertLevel | undefined
  /** replaces the figures in the two-line layout */
  noFigures?: ReactNode
}

/** A record in columns, or in two lines on phones. */
export function ColumnRow<Shown>(props: ColumnRowProps<Shown>) {
  const { columns, shown, phone, dimmed = false, open = false, selected = false, down = false } = props
  if (phone) return <SlotRow {...props} />
  const rowProps = {
    'data-dimmed': dimmed,
    className: rowClass(
      cx(
        'relative border-b border-line',
        selected ? 'bg-accent-soft' : down ? 'bg-down hover:bg-down-hover' : 'hover:bg-hover',
        dimmed && 'text-ink-3 [&_.usage-bar]:opacity-50',
        open && 'bg-hover',
      ),
    ),
  }
  // As arguments instead of an array, because an array needs keys, and so a wrapper around each cell.
  return createElement('div', rowProps, ...columns.map(({ cell }) => cell(shown)))
}

function SlotRow<Shown>({
  columns,
  shown,
  dimmed = false,
  selected = false,
  down = false,
  alert,
  noFigures,
}: ColumnRowProps<Shown>) {
  const slots = columns.flatMap(({ id, phone }) => (phone ? [{ id, ...phone }] : []))
  const draw = (wanted: PhoneSlot<Shown>['slot']) =>
    slots
      .filter(({ slot }) => slot === wanted)
      .map((one) => ({ id: one.id, content: one.draw(shown) }))
      .filter(({ content }) => content !== undefined && content !== false)
      .map(({ id, content }) => <Fragment key={id}>{content}</Fragment>)
  return (
    <div data-dimmed={dimmed} className={phoneRowClass({ dimmed, selected, down })}>
      {down && <DownEdge />}
      <AlertStripe level={alert} />
      <div role="gridcell" className="flex min-w-0 items-center gap-1.5">
        {draw('name')}
        {draw('badge')}
        <span className={cx('text-xs whitespace-nowrap tabular-nums', !dimmed && 'text-ink-2')}>
          {between(draw('fact'), <span className="text-ink-3"> · </span>)}
        </span>
      </div>
      {noFigures ? (
        <div role="gridcell" className="text-xs">
          {noFigures}
        </div>
      ) : (
        <div role="gridcell" className="grid grid-cols-3 gap-3 text-xs has-[.usage-bar]:*:pb-2">
          {slots.map(
            (one) =>
              one.slot === 'figure' && (
                <PhoneFigure key={one.id} label={one.label}>
                  {one.draw(shown)}
                </PhoneFigure>
              ),
          )}
        </div>
      )}
    </div>
  )
}

const between = (parts: readonly ReactNode[], separator: ReactNode): ReactNode =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && separator}
      {part}
    </Fragment>
  ))

/** Two lines instead of columns. */
const phoneRowClass = ({
  dimmed,
  selected = false,
  down = false,
}: {
  dimmed: boolean
  selected?: boolean
  down?: boolean
}) =>
  cx(
    'relative grid h-full grid-rows-2 items-center border-b border-line px-3 py-0.5 has-[.usage-bar]:grid-rows-[minmax(0,1fr)_auto] has-[.usage-bar]:pb-[5px]',
    selected ? 'bg-accent-soft' : down && 'bg-down',
    dimmed && 'text-ink-3 [&_.usage-bar]:opacity-50',
  )

/** The bar takes the full width below label and figure, because only 14 px would remain beside them. */
function PhoneFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="relative flex min-w-0 items-center gap-1.5 has-[>.usage-bar]:[&>:last-child]:ml-auto [&>.usage-bar]:absolute [&>.usage-bar]:inset-x-0 [&>.usage-bar]:bottom-0">
      {label && <span className="text-ink-3">{label}</span>}
      {children}
    </span>
  )
}
