import { useEffect, useState, useEffectEvent, useLayoutEffect } from 'react'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { toast } from '../../ui/toast.ts'
import type { KeyHint } from './table-keys.ts'

interface PageKeysProps {
  keys: readonly KeyHint[]
  focusSearch: () => void
  onEscape: () => void
}

const KeyHelp = lazyPart('Keys', async () => ({ default: (await import('./key-help.tsx')).KeyHelp }), {
  renderFailure: ({ error }, { onClose }) => <NoHelp reason={error.message} onClose={onClose} />,
})

/** The keys of a page, and what shows them. */
export function PageKeys({ keys, ...handlers }: PageKeysProps) {
  const [shown, setShown] = useState(false)
  usePageKeys({ ...handlers, onHelp: () => setShown(true) })
  return shown ? <KeyHelp keys={keys} onClose={() => setShown(false)} /> : null
}

/** A dialog has no place of its own on the page. */
function NoHelp({ reason, onClose }: { reason: string; onClose: () => void }) {
  useEffect(() => {
    toast.error(`The keys cannot be shown: ${reason}`)
    onClose()
  }, [reason, onClose])
  return null
}

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
