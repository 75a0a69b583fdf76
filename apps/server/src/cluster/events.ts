import { LiveEvent } from '@pulse/contract'
import * as z from 'zod/mini'
import type { EventPublisher } from '../events.ts'
import type { Bus } from './nats/bus.ts'
import { packed, unpacked } from './nats/parts.ts'
import { events as subject } from './nats/subjects.ts'

export interface SharedEvents {
  publish(event: LiveEvent): void
  refresh(): void
  stop(): void
}

interface SharedEventsEdges {
  bus: Pick<Bus, 'nats'>
  /** this process */
  own: string
  /** to the pages of this process */
  events: EventPublisher
  onRefused: (subject: string, why: string) => void
}

/** Without an event: the pages get the state soon. */
export const Message = z.object({ from: z.string(), event: z.optional(LiveEvent) })

/** What happens in the process that leads, for the open pages of all processes. */
export function shareEvents({ bus, own, events, onRefused }: SharedEventsEdges): SharedEvents {
  const heard = bus.nats.subscribe(subject, {
    callback(_, message) {
      try {
        const { from, event } = Message.parse(JSON.parse(unpacked(message.data).toString()))
        if (from === own) return
        if (event) events.publish(event)
        else events.refresh()
      } catch (error) {
        onRefused(subject, (error as Error).message)
      }
    },
  })
  function send(event?: LiveEvent) {
    if (!bus.nats.isClosed()) bus.nats.publish(subject, packed(JSON.stringify({ from: own, event })))
  }
  return { publish: send, refresh: () => send(), stop: () => heard.unsubscribe() }
}
