import { Fragment, type ReactNode } from 'react'
import { rem } from '../../lib/text-scale.ts'
import { cx } from '../../ui/cx.ts'
import { SideScroll } from '../../ui/side-scroll.tsx'
import type { PlacedRow } from '../grid/grid.tsx'
import { usePhone } from '../screen/use-media.ts'
import type { Column } from './column.ts'
import { type RecordSlot, RecordSlots } from './record-slots.tsx'
import { TableUnderlay } from './table-underlay.tsx'

/** The two-line layout of a column. Default: renders the cell. An action comes last. */
export interface RecordColumn<Row> extends Omit<Column<Row>, 'phone'> {
  /** width in percent; if all columns have one, the layout is fixed */
  width?: number
  phone?: RecordSlot<Row>
}

/** The buttons of a row, at its end. */
export const actionsColumn = <Row,>(cell: (row: Row) => ReactNode): RecordColumn<Row> => ({
  header: 'Actions',
  hideHeader: true,
  align: 'end',
  cell,
  phone: { slot: 'action' },
})

interface RecordTableProps<Row> {
  label: string
  columns: readonly RecordColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** px at the default text size; a narrower table scrolls sideways */
  minWidth: number
  /** dense rows, as in a list */
  dense?: boolean
  /** a custom row below 640 px */
  phoneRow?: (row: Row) => ReactNode
  /** content below an open row */
  below?: (row: Row) => ReactNode
  /** see `useTrends`; not in the layout for phones */
  underlay?: ((rows: readonly PlacedRow[]) => ReactNode) | undefined
}

/** Keeps the actions visible while the table scrolls sideways, above the faded edge. */
const stickyRight = 'sticky right-0 z-[3] bg-inherit'

/** A table of a few dozen stored records. */
export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { label, columns, rows, keyOf, minWidth, dense = false, phoneRow, below, underlay } = props
  const isFixed = columns.every(({ width }) => width !== undefined)
  const height = dense ? 'h-8 py-1.5' : 'h-11 py-2'
  if (usePhone()) {
    return (
      <ul aria-label={label} className="text-table">
        {rows.map((row) => (
          <li key={keyOf(row)} className="border-b border-line px-4 py-2.5 last:border-b-0">
            {phoneRow ? phoneRow(row) : <RecordSlots columns={columns} row={row} />}
            {below?.(row)}
          </li>
        ))}
      </ul>
    )
  }
  const table = (
    <table
      aria-label={label}
      className={cx('w-full text-left text-table', isFixed && 'table-fixed')}
      style={{ minWidth: rem(minWidth) }}
    >
      {isFixed && (
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={{ width: `${width}%` }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr className="border-b border-line bg-sunken">
          {columns.map(({ header, hideHeader, align }) => (
            <th
              key={header}
              scope="col"
              className={cx(
                'h-8 px-2 text-2xs font-medium tracking-wide whitespace-nowrap text-ink-3 first:pl-4 last:pr-4',
                align === 'end' && 'text-right',
                hideHeader && stickyRight,
              )}
            >
              <span className={hideHeader ? 'sr-only' : undefined}>{header}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={keyOf(row)}>
            <tr
              data-record
              className={cx(
                'border-b border-line align-top last:border-b-0 hover:bg-hover',
                !underlay && 'bg-surface',
              )}
            >
              {columns.map(({ header, hideHeader, align, cell }) => (
                <td
                  key={header}
                  className={cx(
                    'px-2 first:pl-4 last:pr-4',
                    height,
                    align === 'end' && 'text-right',
                    hideHeader && stickyRight,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
            <Below columns={columns.length} content={below?.(row)} />
          </Fragment>
        ))}
      </tbody>
    </table>
  )
  return (
    <SideScroll label={label}>
      {underlay ? (
        <TableUnderlay draw={underlay} keys={rows.map(keyOf)}>
          {table}
        </TableUnderlay>
      ) : (
        table
      )}
    </SideScroll>
  )
}

function Below({ columns, content }: { columns: number; content: ReactNode }) {
  if (!content) return null
  return (
    <tr className="border-b border-line bg-sunken last:border-b-0">
      <td colSpan={columns} className="px-4 py-2">
        {content}
      </td>
    </tr>
  )
}
