import { useSyncExternalStore } from 'react'
import { lazyPart } from './code/lazy-part.tsx'
import { PlainToasts } from './plain-toasts.tsx'
import { toastQueue } from './toast.ts'

/** Fetched before the first message: that is often about a server that is away. */
export const Toaster = lazyPart('Messages', () => import('./toaster.tsx'), {
  renderFailure: () => <PlainToasts />,
})

/** Where toasts appear; empty and free until the first. */
export function Toasts() {
  const needed = useSyncExternalStore(toastQueue.subscribe, toastQueue.hasWaiting)
  return needed ? <Toaster /> : null
}
