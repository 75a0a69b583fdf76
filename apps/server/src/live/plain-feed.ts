import { liveTiming } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { PlainView } from '../state/plain-view.ts'
import { type Client, hasDrained, isOpen, sendEvent } from './client.ts'

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

export function createPlainFeed(view: PlainView, clock: Clock): PlainFeed {
  const clients = new Set<Client>()
  const opening = new Map<Client, () => void>()
  let lastSentAt = 0
  let cancelNext: (() => void) | undefined

  function send(client: Client, type: 'initialState' | 'rawData') {
    if (!isOpen(client)) return
    if (!hasDrained(client)) {
      client.behindSince ??= clock.now()
      return
    }
    client.behindSince = undefined
    client.socket.send(frame(type, view.json()), { binary: false })
  }

  function schedule(waitMs: number) {
    cancelNext?.()
    cancelNext = clients.size === 0 ? undefined : clock.after(waitMs, sendToAll)
  }

  function sendToAll() {
    lastSentAt = clock.now()
    for (const client of clients) send(client, 'rawData')
    schedule(liveTiming.rawDataMs)
  }

  function open(client: Client) {
    sendEvent(client, { type: 'welcome', data: { message: 'Connected to Pulse' } })
    opening.set(
      client,
      clock.after(liveTiming.initialStateDelayMs, () => {
        opening.delete(client)
        send(client, 'initialState')
        clients.add(client)
        if (!cancelNext) schedule(liveTiming.rawDataMs)
      }),
    )
  }

  return {
    join(client) {
      opening.set(
        client,
        clock.after(liveTiming.welcomeDelayMs, () => open(client)),
      )
    },
    leave(client) {
      opening.get(client)?.()
      opening.delete(client)
      clients.delete(client)
      if (clients.size === 0) schedule(0)
    },
    resend: (client) => send(client, 'rawData'),
    changed() {
      if (clients.size === 0) return
      schedule(Math.max(0, lastSentAt + liveTiming.rawDataMinGapMs - clock.now()))
    },
    stop() {
      cancelNext?.()
      for (const cancel of opening.values()) cancel()
      clients.clear()
    },
  }
}

const frame = (type: string, json: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"type":"${type}","data":`), json, Buffer.from('}')])
