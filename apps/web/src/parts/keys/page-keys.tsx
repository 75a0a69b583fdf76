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

/** Handles the keys of a page, and shows their help. */
export function PageKeys({ keys, ...handlers }: PageKeysProps) {
  const [shown, setShown] = useState(false)
  usePageKeys({ ...handlers, onHelp: () => setShown(true) })
  return shown ? <KeyHelp keys={keys} onClose={() => setShown(false)} /> : null
}

/** Reports the failure as a toast, because the dialog has no place on the page. */
function NoHelp({ reason, onClose }: { reason: string; onClose: () => void }) {
  useEffect(() => {
    toast.error(`The keyboard help cannot be shown: ${reason}`)
    onClose()
  }, [reason, onClose])
  return null
}

interface PageKeys {
  /** must focus the search box synchronously, so that the pressed key is typed into it */
  focusSearch: () => void
  onEscape: () => void
  /** `?`: shows the keys of the page */
  onHelp?: () => void
}

/**
 * Typing on the page searches, `/` focuses the search, Escape resets. An open dialog handles its own keys.
 */
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

  // before the first paint, so that no key is missed
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Space is printable too, but on a page it scrolls and presses buttons. */
export function startsTyping(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if ([...event.key].length !== 1 || event.key === ' ') return false
  return !isEditable(event.target)
}

/** Radio buttons and checkboxes are inputs too, but do not accept text. */
function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const editable = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])'
  return target.closest(editable) !== null
}
