import { Role } from '@pulse/contract'
import * as z from 'zod/mini'
import { mostNameCharacters } from '../../auth/proxy.ts'
import type { ProxyClaim } from '../../auth/proxy-users.ts'
import { createSignal, type OnSignal } from '../../signal.ts'
import type { Bus } from '../nats/bus.ts'
import { packed, unpacked } from '../nats/parts.ts'
import { proxyRoles as subject } from '../nats/subjects.ts'

/** A user of a proxy came with another role than before: it ends sockets with the earlier one at all processes. */
export interface ProxyRoles {
  publish(claim: ProxyClaim): void
  /** at another process */
  onHeard: OnSignal<[claim: ProxyClaim]>
  stop(): void
}

interface ProxyRolesEdges {
  bus: Pick<Bus, 'nats'>
  /** this process */
  own: string
  onRefused: (subject: string, why: string) => void
}

export const Message = z.object({
  from: z.string(),
  name: z.string().check(z.minLength(1), z.maxLength(mostNameCharacters)),
  role: Role,
})

export function shareProxyRoles({ bus, own, onRefused }: ProxyRolesEdges): ProxyRoles {
  const heard = createSignal<[claim: ProxyClaim]>()
  const subscription = bus.nats.subscribe(subject, {
    callback(_, message) {
      try {
        const { from, name, role } = Message.parse(JSON.parse(unpacked(message.data).toString()))
        if (from !== own) heard.emit({ name, role })
      } catch (error) {
        onRefused(subject, (error as Error).message)
      }
    },
  })
  return {
    publish({ name, role }) {
      if (!bus.nats.isClosed()) bus.nats.publish(subject, packed(JSON.stringify({ from: own, name, role })))
    },
    onHeard: heard.on,
    stop: () => subscription.unsubscribe(),
  }
}
