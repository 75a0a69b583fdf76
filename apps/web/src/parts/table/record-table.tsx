import { Fragment, type ReactNode } from 'react'
import { usePhone } from '../use-phone.ts'
import { cx } from '../../ui/cx.ts'
import { SideScroll } from '../../ui/side-scroll.tsx'
import type { Column } from './column.ts'

export type RecordColumn<Row> = Column<Row>

interface RecordTableProps<Row> {
  label: string
  columns: readonly RecordColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** px; narrower than that the table scrolls sideways */
  minWidth: number
  /** below 640 px, instead of what the columns put into their slots */
  phoneRow?: (row: Row) => ReactNode
}

/** A table of a few dozen stored records. */
export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { label, columns, rows, keyOf, minWidth, phoneRow } = props
  if (usePhone()) {
    return (
      <ul aria-label={label} className="text-table">
        {rows.map((row) => (
          <li key={keyOf(row)} className="border-b border-line px-4 py-2.5 last:border-b-0">
            {phoneRow ? phoneRow(row) : <Slots columns={columns} row={row} />}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <SideScroll label={label}>
      <table aria-label={label} className="w-full text-left text-table" style={{ minWidth }}>
        <thead>
          <tr className="border-b border-line bg-sunken">
            {columns.map(({ header, hideHeader, align }) => (
              <th
                key={header}
                scope="col"
                className={cx(
                  'h-8 px-2 text-2xs font-medium tracking-wide whitespace-nowrap text-ink-3 first:pl-4 last:pr-4',
                  align === 'end' && 'text-right',
                )}
              >
                <span className={hideHeader ? 'sr-only' : undefined}>{header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line align-top last:border-b-0 hover:bg-hover">
              {columns.map(({ header, align, cell }) => (
                <td
                  key={header}
                  className={cx('h-11 px-2 py-2 first:pl-4 last:pr-4', align === 'end' && 'text-right')}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  )
}

/** Name and badges, then the facts, then the figures with their labels. */
function Slots<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  const drawn = columns.flatMap(({ header, phone }) =>
    phone ? [{ header, ...phone, content: phone.draw(row) }] : [],
  )
  const inSlot = (...slots: readonly string[]) => drawn.filter(({ slot }) => slots.includes(slot))
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 font-medium break-all">
        {inSlot('name', 'badge').map(({ header, content }) => (
          <Fragment key={header}>{content}</Fragment>
        ))}
      </p>
      <p className="text-xs text-ink-2">
        {inSlot('fact', 'figure').map((one, index) => (
          <Fragment key={one.header}>
            {index > 0 && ' · '}
            {one.slot === 'figure' && `${one.label} `}
            {one.content}
          </Fragment>
        ))}
      </p>
    </>
  )
}
