import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastQueue } from './toast.ts'

const Toaster = lazy(() => import('./toaster.tsx'))

/** Where toasts appear; empty and free until the first. */
export function Toasts() {
  const needed = useSyncExternalStore(toastQueue.subscribe, toastQueue.hasWaiting)
  return needed ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null
}
