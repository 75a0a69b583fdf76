import { liveTiming } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { PlainView } from '../state/plain-view.ts'
import { type Client, hasDrained, isOpen, sendEvent, sendFrame } from './client.ts'
import type { Guard } from './guard.ts'

/** The documented protocol: a welcome, then the whole state repeatedly. Built only while a client listens. */
export interface PlainFeed {
  join(client: Client): void
  leave(client: Client): void
  /** Sends one `rawData` to the client that requested it. */
  resend(client: Client): void
  /** A change that justifies an early `rawData` has happened. */
  changed(): void
  stop(): void
}

export function createPlainFeed(view: PlainView, clock: Clock, guard: Guard): PlainFeed {
  const clients = new Set<Client>()
  const opening = new Map<Client, () => void>()
  /** Clients that had not drained in time. They get the current state once they have drained. */
  const behind = new Set<Client>()
  let lastSentAt = -Infinity
  let cancelNext: (() => void) | undefined

  /** Whether the client can take a state now. If not, it gets one when it can. */
  function isReady(client: Client): boolean {
    if (!clients.has(client) || !isOpen(client)) return false
    if (!hasDrained(client)) behind.add(client)
    return hasDrained(client)
  }

  function send(client: Client, frame: Buffer) {
    const onSent = () => {
      if (behind.delete(client)) sendState('the state for a slow client', [client])
    }
    sendFrame(client, frame, { binary: false, clock, onSent })
  }

  /** Builds the state only if a client is ready. Checked again afterwards, because building takes time. */
  function sendState(what: string, to: Iterable<Client>, type: 'initialState' | 'rawData' = 'rawData') {
    if ([...to].filter(isReady).length === 0) return
    view.frame(type).then(
      (frame) =>
        guard(what, () => {
          for (const client of to) if (isReady(client)) send(client, frame)
        }),
      (error: unknown) =>
        guard(what, () => {
          throw error
        }),
    )
  }

  function schedule(waitMs: number) {
    cancelNext?.()
    cancelNext = clients.size === 0 ? undefined : clock.after(waitMs, sendToAll)
  }

  function sendToAll() {
    lastSentAt = clock.monotonic()
    schedule(liveTiming.rawDataMs)
    sendState('the whole state', clients)
  }

  function open(client: Client) {
    sendEvent(client, { type: 'welcome', data: { message: 'Connected to Pulse' } }, clock)
    opening.set(
      client,
      clock.after(liveTiming.initialStateDelayMs, () => {
        opening.delete(client)
        clients.add(client)
        if (!cancelNext) schedule(liveTiming.rawDataMs)
        sendState('the first state', [client], 'initialState')
      }),
    )
  }

  return {
    join(client) {
      opening.set(
        client,
        clock.after(liveTiming.welcomeDelayMs, () => guard('the welcome', () => open(client))),
      )
    },
    leave(client) {
      opening.get(client)?.()
      opening.delete(client)
      clients.delete(client)
      behind.delete(client)
      if (clients.size === 0) schedule(0)
    },
    resend: (client) => sendState('the state on request', [client]),
    changed() {
      if (clients.size === 0) return
      schedule(Math.max(0, lastSentAt + liveTiming.rawDataMinGapMs - clock.monotonic()))
    },
    stop() {
      cancelNext?.()
      for (const cancel of opening.values()) cancel()
      clients.clear()
      behind.clear()
    },
  }
}
