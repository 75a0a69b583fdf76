import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

interface RowFocusOptions<Key extends string> {
  rows: readonly Key[]
  kindOf: (key: Key) => Branch & { focusable: boolean }
  onActivate: (key: Key) => void
}

interface Branch {
  expanded?: boolean | undefined
  level?: number
}

const PAGE = 10

/**
 * One row of the table is in the tab order. Arrows, Page, Home and End move it; Enter and Space activate it.
 */
export function useRowFocus<Key extends string>({ rows, kindOf, onActivate }: RowFocusOptions<Key>) {
  const isStop = (key: Key) => kindOf(key).focusable
  const [wanted, setWanted] = useState<Key>()
  const movedRef = useRef(false)
  const [, setMoveCount] = useState(0)
  const current = wanted !== undefined && rows.includes(wanted) ? wanted : rows.find(isStop)
  const index = current === undefined ? -1 : rows.indexOf(current)

  const moveTo = (key: Key | undefined) => {
    if (key === undefined) return
    movedRef.current = true
    setWanted(key)
    // even for the same row, because the focus may be elsewhere
    setMoveCount((count) => count + 1)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const key = rowKeyOf(event.target) as Key | undefined
    if (key === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = nextStop(rows, isStop, rows.indexOf(key), event.key)
    if (target !== undefined) {
      event.preventDefault()
      moveTo(target)
    } else if (isFold(event.key, kindOf(key).expanded)) {
      event.preventDefault()
      onActivate(key)
    } else if (event.key === 'ArrowLeft') {
      const parent = parentOf(rows, kindOf, key)
      if (parent === undefined) return
      event.preventDefault()
      moveTo(parent)
    } else if ((event.key === 'Enter' || event.key === ' ') && isRow(event.target)) {
      event.preventDefault()
      onActivate(key)
    }
  }

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const key = rowKeyOf(event.target) as Key | undefined
    if (key !== undefined && isStop(key)) setWanted(key)
  }

  return {
    /** -1 until a row has had the focus */
    index: wanted === undefined ? -1 : index,
    movedRef,
    enter: () => moveTo(current),
    tabIndex: (key: Key): 0 | -1 => (key === current ? 0 : -1),
    handlers: { onKeyDown, onFocus },
  }
}

interface Follower {
  index: number
  movedRef: RefObject<boolean>
  scrollTo: (index: number) => void
  bodyRef: RefObject<HTMLElement | null>
}

/** After a move by keyboard, scrolls the row into view and focuses it. */
export function useFollowFocus({ index, movedRef, scrollTo, bodyRef }: Follower): void {
  useLayoutEffect(() => {
    if (!movedRef.current || index < 0) return
    movedRef.current = false
    scrollTo(index)
    bodyRef.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  })
}

/** The row that a key moves to, or the same row at either end. Undefined for other keys. */
export function nextStop<Key extends string>(
  rows: readonly Key[],
  isStop: (key: Key) => boolean,
  from: number,
  pressed: string,
): Key | undefined {
  const stops = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity }[
    pressed
  ]
  if (stops === undefined) return undefined
  let left = Math.abs(stops)
  let reached = rows[from]
  for (let at = from + Math.sign(stops); left > 0 && at >= 0 && at < rows.length; at += Math.sign(stops)) {
    if (!isStop(rows[at]!)) continue
    reached = rows[at]
    left--
  }
  return reached
}

const isFold = (pressed: string, expanded: boolean | undefined): boolean =>
  (pressed === 'ArrowRight' && expanded === false) || (pressed === 'ArrowLeft' && expanded === true)

function parentOf<Key extends string>(
  rows: readonly Key[],
  kindOf: RowFocusOptions<Key>['kindOf'],
  key: Key,
): Key | undefined {
  const level = kindOf(key).level ?? 1
  if (level === 1) return undefined
  for (let at = rows.indexOf(key) - 1; at >= 0; at--) {
    const { focusable, level: above = 1 } = kindOf(rows[at]!)
    if (focusable && above < level) return rows[at]
  }
  return undefined
}

export const rowKeyOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined

const isRow = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.dataset['row'] !== undefined
