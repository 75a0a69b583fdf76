declare global {
  interface Window {
    /** opened by the first script of the document (public/first.js) */
    earlySocket?: { socket: WebSocket; take(): Event[] }
  }
}

/**
 * The socket that was opened while the program was on its way, once. Its caller listens to it at once: what came in
 * before is dispatched again then, in its order.
 */
export function takeEarlySocket(url: string): WebSocket | undefined {
  const early = window.earlySocket
  if (!early) return undefined
  delete window.earlySocket
  const { socket } = early
  if (socket.url !== url) {
    socket.close()
    return undefined
  }
  queueMicrotask(() => {
    for (const event of early.take()) socket.dispatchEvent(event)
  })
  return socket
}
