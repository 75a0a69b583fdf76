import { Fragment, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { AlertStripe } from '../alert-stripe.tsx'
import type { AlertLevel } from '../alert-levels.ts'
import { rowClass } from '../grid/columns.ts'
import { PhoneFigure, phoneRowClass } from '../phone-row.tsx'
import type { Column, PhoneSlot } from './column.ts'

interface ColumnRowProps<Shown> {
  columns: readonly (Column<Shown> & { id: string })[]
  shown: Shown
  phone: boolean
  /** not running, not answering, or not what was selected */
  faint?: boolean
  /** its details are open */
  open?: boolean
  alert?: AlertLevel | undefined
}

/** A record in its columns, or in two lines where there is no room for them. */
export function ColumnRow<Shown>(props: ColumnRowProps<Shown>) {
  const { columns, shown, phone, faint = false, open = false, alert } = props
  if (phone) return <SlotRow columns={columns} shown={shown} faint={faint} alert={alert} />
  return (
    <div
      data-dimmed={faint}
      className={rowClass(
        cx(
          'relative border-b border-line hover:bg-hover',
          faint && 'text-ink-3 [&_.usage-bar]:opacity-50',
          open && 'bg-hover',
        ),
      )}
    >
      {columns.map(({ id, cell }) => (
        <Fragment key={id}>{cell(shown)}</Fragment>
      ))}
    </div>
  )
}

type SlotRowProps<Shown> = Pick<ColumnRowProps<Shown>, 'columns' | 'shown' | 'alert'> & { faint: boolean }

function SlotRow<Shown>({ columns, shown, faint, alert }: SlotRowProps<Shown>) {
  const slots = columns.flatMap(({ id, phone }) => (phone ? [{ id, ...phone }] : []))
  const draw = (wanted: PhoneSlot<Shown>['slot']) =>
    slots
      .filter(({ slot }) => slot === wanted)
      .map((one) => <Fragment key={one.id}>{one.draw(shown)}</Fragment>)
  return (
    <div data-dimmed={faint} className={phoneRowClass({ faint })}>
      <AlertStripe level={alert} />
      <div role="gridcell" className="flex min-w-0 items-center gap-1.5">
        {draw('name')}
        {draw('badge')}
        <span className={cx('text-xs whitespace-nowrap tabular-nums', !faint && 'text-ink-2')}>
          {between(draw('fact'), <span className="text-ink-3"> · </span>)}
        </span>
      </div>
      <div role="gridcell" className="grid grid-cols-3 gap-3 text-xs">
        {slots.map(
          (one) =>
            one.slot === 'figure' && (
              <PhoneFigure key={one.id} label={one.label}>
                {one.draw(shown)}
              </PhoneFigure>
            ),
        )}
      </div>
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
