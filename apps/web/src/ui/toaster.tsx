import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import './toaster.css'
import { type ToastKind, toastQueue } from './toast.ts'

const manager = Toast.createToastManager()

/** The next message removes the oldest. */
const limit = 4

export default function Toaster() {
  useEffect(
    () =>
      toastQueue.connect(
        ({ kind, text, durationMs }) =>
          void manager.add({ type: kind, description: text, timeout: durationMs }),
      ),
    [],
  )
  return (
    <Toast.Provider toastManager={manager} limit={limit}>
      <Messages />
    </Toast.Provider>
  )
}

const icons: Record<ToastKind, LucideIcon> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
}

function Messages() {
  const { toasts } = Toast.useToastManager()
  const viewport = useRef<HTMLDivElement>(null)
  useToastRoom(viewport, toasts.length)
  return (
    <Toast.Viewport ref={viewport} aria-label="Messages" className="toasts">
      {toasts.map((message) => {
        const Icon = icons[message.type as ToastKind]
        return (
          // a message is not a dialog
          <Toast.Root
            key={message.id}
            toast={message}
            role="group"
            data-toast={message.type}
            className="toast"
            swipeDirection="right"
            // Escape closed the message, so the page must not handle it too
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.preventDefault()
            }}
          >
            <Icon aria-hidden size={16} className="toast-icon" />
            <Toast.Description className="min-w-0 flex-1 wrap-anywhere" />
            {/* Base UI hides it from screen readers in stacked messages, but these are not stacked */}
            <Toast.Close aria-label="Close message" aria-hidden={false} className="toast-close">
              <X aria-hidden size={14} />
            </Toast.Close>
          </Toast.Root>
        )
      })}
    </Toast.Viewport>
  )
}

const variable = '--toast-room'

/**
 * Space at the end of the page, as high as the messages above it, so that the user can scroll to the buttons
 * of the last row. It disappears with the messages, unless the window is scrolled into it: the page would
 * jump.
 */
function useToastRoom(viewport: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    const element = viewport.current
    if (!element) return
    if (count > 0) {
      const take = () => {
        const room = Math.max(0, Math.ceil(window.innerHeight - element.getBoundingClientRect().top))
        if (room > roomOf(root)) root.style.setProperty(variable, `${room}px`)
      }
      take()
      const observer = new ResizeObserver(take)
      observer.observe(element)
      return () => observer.disconnect()
    }
    const release = () => {
      const below = root.scrollHeight - window.innerHeight - window.scrollY
      if (below < roomOf(root)) return
      root.style.removeProperty(variable)
      removeEventListener('scroll', release)
    }
    addEventListener('scroll', release, { passive: true })
    release()
    return () => removeEventListener('scroll', release)
  }, [viewport, count])
}

const roomOf = (root: HTMLElement): number => Number.parseFloat(root.style.getPropertyValue(variable)) || 0
