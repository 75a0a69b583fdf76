import { useEffect, useSyncExternalStore } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import 'sonner/dist/styles.css'
import './toaster.css'
import { toastQueue } from './toast.ts'

export default function Toaster() {
  useEffect(
    () => toastQueue.connect(({ kind, text, durationMs }) => sonner[kind](text, { duration: durationMs })),
    [],
  )
  const dark = useSyncExternalStore(watchTheme, () => document.documentElement.classList.contains('dark'))
  return (
    <Sonner
      theme={dark ? 'dark' : 'light'}
      position="bottom-right"
      offset={20}
      closeButton
      visibleToasts={4}
    />
  )
}

function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => observer.disconnect()
}
