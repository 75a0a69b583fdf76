import { type FocusEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Reports whether the table is in use: the pointer is over it, or keyboard focus is inside. Touch does not
 * count, and neither does focus from a click.
 */
export function useTableInUse(onInUseChange: ((inUse: boolean) => void) | undefined) {
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
