import { useEffectEvent, useLayoutEffect } from 'react'

interface PageKeys {
  /** must put the focus into the search box before it returns: the key that was pressed lands there */
  focusSearch: () => void
  onEscape: () => void
  /** `?`: shows the keys of the page */
  onHelp?: () => void
}

/** Typing anywhere on the page searches, `/` only goes there, Escape backs out. An open dialog keeps its keys. */
export function usePageKeys({ focusSearch, onEscape, onHelp }: PageKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      document.querySelector('dialog[open], [role=dialog]:not([hidden])')
    )
      return
    if (event.key === 'Escape') return onEscape()
    if (!startsTyping(event)) return
    if (event.key === '?' && onHelp) return onHelp()
    focusSearch()
    if (event.key === '/') event.preventDefault()
  })

  // before the page is painted: who sees it may type
  useLayoutEffect(() => {
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
  return !isEditable(event.target)
}

/** A radio button or a checkbox is an input too, but nothing is typed into it. */
function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const editable = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])'
  return target.closest(editable) !== null
}
