import type { Clock } from '@pulse/domain'

/** Long enough to publish answers together that arrive together. */
export const SOON_MS = 50

export interface PublisherOptions {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Long work before a publication, done in steps. */
  prepare?: () => Promise<void>
  /** Resolves when the current data is visible. It publishes nothing once it is stopped. */
  publish: (isStopped: () => boolean) => void | Promise<void>
}

export interface Publisher {
  /** Publishes within that time, together with other requests until then. Resolves when it is visible. */
  soon(withinMs: number): Promise<void>
  stop(): void
}

/** Publishes the data of a source, one publication at a time. */
export function startPublisher({ clock, prepare, publish }: PublisherOptions): Publisher {
  let dueAt = Infinity
  let cancelDue = () => {}
  let shown = Promise.withResolvers<void>()
  let isPublishing = false
  let isDueAgain = false
  let isStopped = false

  async function run() {
    dueAt = Infinity
    cancelDue()
    if (isPublishing) {
      isDueAgain = true
      return
    }
    isPublishing = true
    const { resolve } = shown
    shown = Promise.withResolvers()
    try {
      await prepare?.()
      if (!isStopped) await publish(() => isStopped)
    } finally {
      isPublishing = false
      resolve()
      if (isDueAgain) void soon(0)
      isDueAgain = false
    }
  }

  function soon(withinMs: number): Promise<void> {
    if (isStopped) return Promise.resolve()
    const at = clock.monotonic() + withinMs
    if (at < dueAt) {
      dueAt = at
      cancelDue()
      cancelDue = clock.after(withinMs, () => void run())
    }
    return shown.promise
  }

  return {
    soon,
    stop() {
      isStopped = true
      cancelDue()
      shown.resolve()
    },
  }
}
