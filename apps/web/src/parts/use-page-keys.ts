import { useEffect, useEffectEvent } from 'react'

interface PageKeys {
  /** must put the focus into the search box before it returns: the key that was pressed lands there */
  focusSearch: () => void
  onEscape: () => void
}

/** Typing anywhere on the page searches, `/` only goes there, Escape backs out. An open dialog keeps its keys. */
export function usePageKeys({ focusSearch, onEscape }: PageKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('[role=dialog]')) return
    if (event.key === 'Escape') return onEscape()
    if (!startsTyping(event)) return
    focusSearch()
    if (event.key === '/') event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Space is printable too, but it scrolls the page and presses buttons. */
export function startsTyping(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if ([...event.key].length !== 1 || event.key === ' ') return false
  return !(
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  )
}
