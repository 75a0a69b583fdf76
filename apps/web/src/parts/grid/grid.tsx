import { type CSSProperties, type ReactNode, type RefObject, useImperativeHandle, useRef } from 'react'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { cx } from '../../ui/cx.ts'
import type { Sort } from '../../ui/table/sort.ts'
import type { GridColumn } from './columns.ts'
import { GridHead, HEAD_HEIGHT } from './head.tsx'
import { useHold } from './hold.ts'
import { rowKeyOf, useFollowFocus, useRowFocus } from './row-focus.ts'
import { useRowWindow } from './row-window.ts'
import { useSideways } from './sideways.ts'

export interface RowState {
  /** 0 for the row the keyboard is at, else -1: what a row's own links and buttons take */
  tabIndex: 0 | -1
}

/** How one row of the table behaves. */
export interface RowKind {
  /** the keyboard stops here */
  focusable: boolean
  selected?: boolean
  /** whether it is open; undefined where there is nothing to open */
  expanded?: boolean | undefined
  /** stays in sight while rows that belong to it are */
  pins?: boolean
  /** 1 at the top; a row belongs to the next one above it of a lower level */
  level?: number
}

interface GridProps<Key extends string, Id extends string> {
  /** names the table */
  label: string
  columns: readonly GridColumn<Id>[]
  sort: Sort<Id> | undefined
  onSort: (column: GridColumn<Id>) => void
  /** what is shown from top to bottom; the same array while nothing moved */
  rows: readonly Key[]
  /** of those near the window */
  kindOf: (key: Key) => RowKind
  /** px; undefined is measured. Asked of every row whenever one moved, and so without making anything. */
  heightOf: (key: Key) => number | undefined
  renderRow: (key: Key, state: RowState) => ReactNode
  /** rows can be opened: ArrowRight opens one, ArrowLeft closes it or leads to the one it belongs to */
  tree?: boolean
  /** a click on a row, Enter or Space */
  onActivate: (key: Key) => void
  /** px of usual letters; narrower than that the table scrolls sideways */
  minWidth: number
  /** rows lay themselves out; there are no columns and no head */
  phone: boolean
  /** the table begins in the lower half of the window, as a rule: so few rows are drawn before that is known */
  lower?: boolean
  /** somebody is at the table, or no longer: see `useHold` */
  onHold?: ((held: boolean) => void) | undefined
  handle?: RefObject<GridHandle | null> | undefined
  /** the element around head and rows */
  frame?: RefObject<HTMLDivElement | null>
}

export interface GridHandle {
  /** The keyboard goes to the row it was at last, else to the first. */
  enter(): void
}

/**
 * A table of any length. Only rows near the window exist; the page scrolls, not the table. Rows are placed by the
 * table and draw themselves: when the order changes no row renders again.
 */
export function Grid<Key extends string, Id extends string>(props: GridProps<Key, Id>) {
  const {
    label,
    columns,
    sort,
    onSort,
    rows,
    kindOf,
    heightOf,
    renderRow,
    tree = false,
    onActivate,
    minWidth,
    phone,
    lower = false,
    onHold,
    handle,
    frame,
  } = props
  const bodyRef = useRef<HTMLDivElement>(null)
  const ownFrame = useRef<HTMLDivElement>(null)
  const frameRef = frame ?? ownFrame
  const headRef = useRef<HTMLDivElement>(null)
  const scale = useTextScale()
  const sideways = useSideways({ frameRef, headRef, bodyRef, phone })
  const focus = useRowFocus({ rows, kindOf, onActivate })
  const shown = useRowWindow({
    rows,
    heightOf,
    keep: focus.index,
    bodyRef,
    headHeight: phone ? 0 : HEAD_HEIGHT * scale,
    lower,
    scale,
    phone,
  })
  const pinned = pinnedRow(rows, kindOf, shown.top)
  useFollowFocus({ ...focus, scrollTo: shown.scrollTo, bodyRef })
  useImperativeHandle(handle, () => ({ enter: focus.enter }))
  const hold = useHold(onHold)

  const headRows = phone ? 0 : 1
  const tracks = { '--tracks': columns.map((column) => column.track).join(' ') } as CSSProperties
  const width = phone ? undefined : { minWidth: rem(minWidth) }

  return (
    <div
      ref={frameRef}
      role={tree ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-rowcount={rows.length + headRows}
      {...(!phone && { 'aria-colcount': columns.length })}
      data-stuck={columns.some(({ stuck }) => stuck) || undefined}
      className="fade-edges text-table"
      style={tracks}
      {...hold}
    >
      <div
        ref={headRef}
        role={phone ? 'presentation' : 'rowgroup'}
        className="sticky top-0 z-10 overflow-hidden"
        style={{ marginBottom: pinned === undefined ? undefined : -heightOf(pinned)! }}
        onScroll={sideways.onHeadScroll}
      >
        {!phone && <GridHead columns={columns} sort={sort} onSort={onSort} minWidth={minWidth} />}
        {pinned !== undefined && (
          <div aria-hidden data-pinned={pinned} style={{ ...width, height: heightOf(pinned) }}>
            {renderRow(pinned, { tabIndex: -1 })}
          </div>
        )}
      </div>
      <div
        ref={bodyRef}
        role="rowgroup"
        className={cx('[container-type:inline-size]', !phone && 'overflow-x-auto overflow-y-hidden')}
        onScroll={sideways.onBodyScroll}
      >
        <div className="relative" style={{ ...width, height: shown.height }} {...focus.handlers}>
          {shown.items.map(({ index, start, measure }) => {
            const key = rows[index]!
            const kind = kindOf(key)
            const height = heightOf(key)
            const tabIndex = focus.tabIndex(key)
            return (
              <div
                key={key}
                ref={measure}
                role="row"
                aria-rowindex={index + 1 + headRows}
                aria-selected={kind.selected}
                aria-expanded={kind.expanded}
                aria-level={tree ? (kind.level ?? 1) : undefined}
                data-index={index}
                data-row={key}
                tabIndex={kind.focusable ? tabIndex : undefined}
                className={cx(
                  'absolute inset-x-0 focus-visible:z-[1] focus-visible:outline-offset-[-2px] [&:last-child>*]:border-b-0',
                  // brought into sight, it leaves room for the head, its row above it and the foot
                  height === undefined ? 'scroll-mt-24 scroll-mb-14' : '[contain:strict]',
                )}
                style={{ height, top: start }}
                onClick={(event) => {
                  if (kind.focusable && rowKeyOf(event.target) === key && !isOwnControl(event.target))
                    onActivate(key)
                }}
              >
                {renderRow(key, { tabIndex })}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** The head of the group that reaches above the window, for as long as something of it is below the top edge. */
function pinnedRow<Key extends string>(
  rows: readonly Key[],
  kindOf: (key: Key) => RowKind,
  top: number,
): Key | undefined {
  for (let at = top; at >= 0; at--) if (kindOf(rows[at]!).pins) return rows[at]
  return undefined
}

/** Links and buttons in a row do their own thing, and marking text is not a click. */
function isOwnControl(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button, input, select')) return true
  return window.getSelection()?.type === 'Range'
}
