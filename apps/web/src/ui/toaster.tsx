import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import './toaster.css'
import { type ToastKind, toastQueue } from './toast.ts'
import { useToastRoom } from './toast-room.ts'

const manager = Toast.createToastManager()

/** Older messages give way to the fifth. */
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
          // a message is no dialog: it asks nothing
          <Toast.Root
            key={message.id}
            toast={message}
            role="group"
            data-toast={message.type}
            className="toast"
            swipeDirection="right"
            // it is used up by closing the message: the page below keeps its filters
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.preventDefault()
            }}
          >
            <Icon aria-hidden size={16} className="toast-icon" />
            <Toast.Description className="min-w-0 flex-1 wrap-anywhere" />
            {/* hidden from readers it would be while messages are a stack, which these are not */}
            <Toast.Close aria-label="Close message" aria-hidden={false} className="toast-close">
              <X aria-hidden size={14} />
            </Toast.Close>
          </Toast.Root>
        )
      })}
    </Toast.Viewport>
  )
}
