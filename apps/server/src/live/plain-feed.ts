import { liveTiming } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { PlainView } from '../state/plain-view.ts'
import { type Client, hasDrained, isOpen, sendEvent, sendFrame } from './client.ts'
import type { Guard } from './guard.ts'

/** The documented protocol: welcome, the whole state, and the whole state again. Built only while somebody listens. */
export interface PlainFeed {
  join(client: Client): void
  leave(client: Client): void
  /** One `rawData` for the client that asked. */
  resend(client: Client): void
  /** Something worth an early `rawData` happened. */
  changed(): void
  stop(): void
}

export function createPlainFeed(view: PlainView, clock: Clock, guard: Guard): PlainFeed {
  const clients = new Set<Client>()
  const opening = new Map<Client, () => void>()
  /** Those that had not drained when it was their turn: they get the state of the moment when they have. */
  const behind = new Set<Client>()
  let lastSentAt = -Infinity
  let cancelNext: (() => void) | undefined

  function send(client: Client, type: 'initialState' | 'rawData') {
    if (!isOpen(client)) return
    if (!hasDrained(client)) {
      behind.add(client)
      return
    }
    const onSent = () => {
      if (behind.delete(client)) guard('the state for a slow client', () => send(client, 'rawData'))
    }
    sendFrame(client, view.frame(type), { binary: false, clock, onSent })
  }

  function schedule(waitMs: number) {
    cancelNext?.()
    cancelNext = clients.size === 0 ? undefined : clock.after(waitMs, sendToAll)
  }

  function sendToAll() {
    lastSentAt = clock.monotonic()
    schedule(liveTiming.rawDataMs)
    guard('the whole state', () => {
      for (const client of clients) send(client, 'rawData')
    })
  }

  function open(client: Client) {
    sendEvent(client, { type: 'welcome', data: { message: 'Connected to Pulse' } }, clock)
    opening.set(
      client,
      clock.after(liveTiming.initialStateDelayMs, () => {
        opening.delete(client)
        clients.add(client)
        if (!cancelNext) schedule(liveTiming.rawDataMs)
        guard('the first state', () => send(client, 'initialState'))
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
    resend: (client) => send(client, 'rawData'),
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
