import { createSignal } from '../lib/signal.ts'

export type ToastKind = 'success' | 'info' | 'warning' | 'error'

export interface ToastMessage {
  kind: ToastKind
  text: string
  durationMs: number
}

/** Milliseconds. */
export const toastDurations: Record<ToastKind, number> = {
  success: 5_000,
  info: 5_000,
  warning: 8_000,
  error: 10_000,
}

type Show = (message: ToastMessage) => void

let show: Show | undefined
let pending: ToastMessage[] = []
const changed = createSignal()

function push(kind: ToastKind, text: string, durationMs = toastDurations[kind]): void {
  const message = { kind, text, durationMs }
  if (show) return show(message)
  pending = [...pending, message]
  changed.emit()
}

/** Callable from anywhere. The toast code loads with the first message. */
export const toast = {
  success: (text: string, durationMs?: number) => push('success', text, durationMs),
  info: (text: string, durationMs?: number) => push('info', text, durationMs),
  warning: (text: string, durationMs?: number) => push('warning', text, durationMs),
  error: (text: string, durationMs?: number) => push('error', text, durationMs),
}

/** For the toaster only. */
export const toastQueue = {
  isNeeded: () => pending.length > 0 || show !== undefined,
  subscribe: changed.subscribe,
  connect(drawer: Show): () => void {
    show = drawer
    const due = pending
    pending = []
    for (const message of due) drawer(message)
    return () => {
      show = undefined
    }
  },
}
