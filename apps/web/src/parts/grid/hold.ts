import { type FocusEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Reports whether the user is at the table: the pointer is over it, or keyboard focus is inside. Touch does not count,
 * nor does focus left by a click.
 */
export function useHold(onHold: ((held: boolean) => void) | undefined) {
  const at = useRef({ pointer: false, keyboard: false })
  // no event is fired when the table is removed
  const onGone = useEffectEvent(() => isHeld(at.current) && onHold?.(false))
  useEffect(() => () => void onGone(), [])
  if (!onHold) return undefined

  const tell = (change: Partial<{ pointer: boolean; keyboard: boolean }>) => {
    const before = isHeld(at.current)
    Object.assign(at.current, change)
    const now = isHeld(at.current)
    if (now !== before) onHold(now)
  }
  return {
    onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && tell({ pointer: true }),
    onPointerLeave: () => tell({ pointer: false }),
    onFocus: (event: FocusEvent<HTMLElement>) => tell({ keyboard: event.target.matches(':focus-visible') }),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget)) tell({ keyboard: false })
    },
  }
}

const isHeld = ({ pointer, keyboard }: { pointer: boolean; keyboard: boolean }) => pointer || keyboard
