import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Closes what is open on Escape and on a press outside. Escape stops there: what lies below does not
 * also take it for its own.
 */
export function useDismiss(
  open: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  onDismiss: (reason: 'escape' | 'outside') => void,
): void {
  const dismiss = useEffectEvent(onDismiss)
  const isInside = useEffectEvent((target: Node) => inside.some((ref) => ref.current?.contains(target)))

  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      dismiss('escape')
    }
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !isInside(event.target)) dismiss('outside')
    }
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('pointerdown', onPress, true)
    }
  }, [open])
}
