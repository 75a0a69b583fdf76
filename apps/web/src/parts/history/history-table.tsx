import type { Span } from '../../lib/times.ts'
import { formatMoment } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { pointText } from '../chart/reading.ts'
import { timeText } from '../chart/series.ts'
import { drawnPoint } from './figure-forms.ts'
import type { HistoryRow, HistoryTableData } from './history-rows.ts'

interface HistoryTableProps extends HistoryTableData {
  name: string
  span: Span
  reasons: Readonly<Record<string, string>>
}

/** The figures of the charts as a table, newest first. */
export function HistoryTable({ name, columns, rows, span, reasons }: HistoryTableProps) {
  return (
    <div
      role="group"
      ref={focusable}
      aria-label={`Figures of ${name}`}
      className="max-h-80 overflow-auto rounded border border-line bg-surface focus-visible:outline-offset-[-2px]"
    >
      <table aria-label={`History of ${name}`} className="w-full text-left text-xs tabular-nums">
        <thead>
          <tr className="text-ink-3">
            {['Time', ...columns.map(({ label }) => label)].map((head, index) => (
              <th
                key={head}
                scope="col"
                className={cx(
                  'sticky top-0 border-b border-line bg-sunken px-3 py-1.5 font-medium whitespace-nowrap',
                  index > 0 && 'text-right',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1 font-normal whitespace-nowrap text-ink-2">
                {timeText(row.at, span)}
              </th>
              {'points' in row ? (
                columns.map(({ field, form }, index) => {
                  const point = row.points[index]
                  return (
                    <td key={field} className="px-3 py-1 text-right whitespace-nowrap">
                      {point && pointText(drawnPoint(point, form), form.format)}
                    </td>
                  )
                })
              ) : (
                <td colSpan={Math.max(1, columns.length)} className="px-3 py-1 text-ink-2">
                  {row.labels.length > 0 && `${row.labels.join(', ')}: `}
                  {reasons[row.reason]} until {formatMoment(row.to)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** So that the keyboard can scroll it. */
function focusable(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0
}

const keyOf = (row: HistoryRow): string =>
  'points' in row ? `${row.at}` : `${row.at} ${row.to} ${row.reason}`
