import { useEffect, useEffectEvent, useState } from 'react'

interface Keys {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** Ctrl+S, and ⌘S. */
export const isSaveKey = ({ key, ctrlKey, metaKey, altKey }: Keys): boolean =>
  key.toLowerCase() === 's' && (ctrlKey || metaKey) && !altKey

/** Calls `save` after the focused field has committed its text. */
export function useSaveKey(save: () => void): void {
  const [presses, setPresses] = useState(0)
  const onSave = useEffectEvent(save)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSaveKey(event)) return
      event.preventDefault()
      setPresses((before) => before + 1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => {
    if (presses > 0) onSave()
  }, [presses])
}
