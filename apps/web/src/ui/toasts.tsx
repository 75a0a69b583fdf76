import { useSyncExternalStore, useEffect, useState } from 'react'
import { lazyPart } from './code/lazy-part.tsx'
import { toastQueue, type ToastMessage } from './toast.ts'

/** Fetched before the first message: that is often about a server that is away. */
export const Toaster = lazyPart('Messages', () => import('./toaster.tsx'), {
  renderFailure: () => <PlainToasts />,
})

/** Where toasts appear; empty and free until the first. */
export function Toasts() {
  const needed = useSyncExternalStore(toastQueue.subscribe, toastQueue.hasWaiting)
  return needed ? <Toaster /> : null
}

/** Messages while the code that draws toasts cannot be fetched: a message is never lost with it. */
export function PlainToasts() {
  const [shown, setShown] = useState<readonly ToastMessage[]>([])
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const disconnect = toastQueue.connect((message) => {
      setShown((before) => [...before, message])
      const over = () => setShown((before) => before.filter((one) => one !== message))
      timers.add(setTimeout(over, message.durationMs))
    })
    return () => {
      disconnect()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  return (
    <ul role="status" className="fixed right-5 bottom-5 z-50 flex max-w-sm flex-col gap-2">
      {shown.map(({ text }, at) => (
        <li
          key={at}
          className="rounded-md border border-line bg-raised px-3 py-2 text-table wrap-anywhere shadow-raised"
        >
          {text}
        </li>
      ))}
    </ul>
  )
}
