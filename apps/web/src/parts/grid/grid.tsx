import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useRef,
  type FocusEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
} from 'react'
import { PAST_MARK_HEIGHT, useMoment } from '../../lib/moment.tsx'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { cx } from '../../ui/cx.ts'
import type { Sort } from '../../ui/table/sort.ts'
import type { GridColumn } from './columns.ts'
import { GridHead, HEAD_HEIGHT } from './head.tsx'
import { rowKeyOf, useFollowFocus, useRowFocus } from './row-focus.ts'
import { useRowWindow } from './row-window.ts'
import { useSideways } from './sideways.ts'

export interface RowState {
  /** 0 in the row with the keyboard focus, else -1; for the row's links and buttons */
  tabIndex: 0 | -1
}

/** A row near the window. */
export interface PlacedRow {
  key: string
  index: number
  /** px below the top of the first row */
  top: number
  /** px; undefined: measured */
  height: number | undefined
}

/** Behaviour of a row. */
export interface RowKind {
  /** the row can have the keyboard focus */
  focusable: boolean
  selected?: boolean
  /** whether it is open; undefined if the row cannot open */
  expanded?: boolean | undefined
  /** sticks below the table's head while its rows are in view */
  pins?: boolean
  /** 1 at the top; the parent of a row is the nearest row above with a lower level */
  level?: number
}

interface GridProps<Key extends string, Id extends string> {
  /** accessible name */
  label: string
  columns: readonly GridColumn<Id>[]
  sort: Sort<Id> | undefined
  onSort: (column: GridColumn<Id>) => void
  /** from top to bottom; the same array until a row moves */
  rows: readonly Key[]
  /** called for rows near the window */
  kindOf: (key: Key) => RowKind
  /** px; undefined: measured. Called for every row when one moves, so it must not allocate. */
  heightOf: (key: Key) => number | undefined
  renderRow: (key: Key, state: RowState) => ReactNode
  /** rows can be opened: ArrowRight opens one, ArrowLeft closes it or moves to its parent */
  tree?: boolean
  /** drawn behind the rows */
  underlay?: ((rows: readonly PlacedRow[]) => ReactNode) | undefined
  /** a click on a row, Enter or Space */
  onActivate: (key: Key) => void
  /** px at the default text size; a narrower table scrolls sideways */
  minWidth: number
  /** rows have their own layout; no columns and no head */
  phone: boolean
  /**
   * the table usually begins in the lower half of the window, so fewer rows are drawn before its position is
   * known
   */
  lower?: boolean
  /** see `useTableInUse` */
  onInUseChange?: ((inUse: boolean) => void) | undefined
  handle?: RefObject<GridHandle | null> | undefined
  /** the element around head and rows */
  frame?: RefObject<HTMLDivElement | null>
}

export interface GridHandle {
  /** Focuses the row that last had the focus, or else the first one. */
  enter(): void
}

/**
 * A virtualized table. Only rows near the window exist, and the page scrolls instead of the table. The table
 * positions the rows, so a change of order re-renders none of them.
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
    underlay,
    onActivate,
    minWidth,
    phone,
    lower = false,
    onInUseChange: onHold,
    handle,
    frame,
  } = props
  const bodyRef = useRef<HTMLDivElement>(null)
  const ownFrame = useRef<HTMLDivElement>(null)
  const frameRef = frame ?? ownFrame
  const headRef = useRef<HTMLDivElement>(null)
  const scale = useTextScale()
  const moment = useMoment()
  const sideways = useSideways({ frameRef, headRef, bodyRef, phone })
  const focus = useRowFocus({ rows, kindOf, onActivate })
  const shown = useRowWindow({
    rows,
    heightOf,
    keep: focus.index,
    bodyRef,
    headHeight: phone ? 0 : HEAD_HEIGHT * scale,
    covered: moment === undefined ? 0 : PAST_MARK_HEIGHT * scale,
    lower,
    scale,
    phone,
  })
  const pinned = pinnedRow(rows, kindOf, shown.top)
  useFollowFocus({ ...focus, scrollTo: shown.scrollTo, bodyRef })
  useImperativeHandle(handle, () => ({ enter: focus.enter }))
  const inUse = useTableInUse(onHold)

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
      data-stuck={columns.some(({ sticky }) => sticky) || undefined}
      className="fade-edges text-table"
      style={tracks}
      {...inUse}
    >
      <div
        ref={headRef}
        role={phone ? 'presentation' : 'rowgroup'}
        className="sticky top-(--covered) z-10 overflow-hidden"
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
          {underlay?.(
            shown.items.map(({ index, start: top }) => {
              const key = rows[index]!
              return { key, index, top, height: heightOf(key) }
            }),
          )}
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
                  // space for the head, the parent row and the foot when a row scrolls into view
                  height === undefined
                    ? 'scroll-mt-[calc(6rem+var(--covered))] scroll-mb-14'
                    : '[contain:strict]',
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

/** The group head to pin: the head of the group that is just below the table's head. */
function pinnedRow<Key extends string>(
  rows: readonly Key[],
  kindOf: (key: Key) => RowKind,
  top: number,
): Key | undefined {
  for (let at = top; at >= 0; at--) if (kindOf(rows[at]!).pins) return rows[at]
  return undefined
}

/** A click on a link or a button in the row, or the end of a text selection. */
function isOwnControl(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button, input, select')) return true
  return window.getSelection()?.type === 'Range'
}

/**
 * Reports whether the table is in use: the pointer is over it, or keyboard focus is inside. Touch does not
 * count, and neither does focus from a click.
 */
function useTableInUse(onInUseChange: ((inUse: boolean) => void) | undefined) {
  const at = useRef({ pointer: false, keyboard: false })
  // the browser fires no event when the table is removed
  const onGone = useEffectEvent(() => isInUse(at.current) && onInUseChange?.(false))
  useEffect(() => () => void onGone(), [])
  if (!onInUseChange) return undefined

  const update = (change: Partial<{ pointer: boolean; keyboard: boolean }>) => {
    const before = isInUse(at.current)
    Object.assign(at.current, change)
    const now = isInUse(at.current)
    if (now !== before) onInUseChange(now)
  }
  return {
    onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && update({ pointer: true }),
    onPointerLeave: () => update({ pointer: false }),
    onFocus: (event: FocusEvent<HTMLElement>) => update({ keyboard: event.target.matches(':focus-visible') }),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget)) update({ keyboard: false })
    },
  }
}

const isInUse = ({ pointer, keyboard }: { pointer: boolean; keyboard: boolean }) => pointer || keyboard
