import type { AlertConfig } from '@pulse/contract'
import { T0 } from '../alerts/fixtures.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { Dispatcher } from '../notify/dispatcher.ts'
import { mailRows } from '../notify/mail.ts'

/** The messages of the live alerts to one channel, by the dispatcher of the product. */
export function messagesOf(changes: readonly AlertChange[], config: AlertConfig, to: number): number {
  const capacity = { firing: mailRows, resolved: mailRows }
  const channel = { id: 'email', kind: 'email', name: 'Email', enabled: true, capacity } as const
  const moment = (at: number) => ({ now: at, monotonic: at })
  const none = { open: [], log: [], endOf: () => undefined, underWay: [], sent: [] }
  const dispatcher = new Dispatcher(config, [channel], none, moment(T0))
  let [count, now] = [0, T0]
  const send = () => {
    while (dispatcher.isBusy) dispatcher.step(moment(now))
    for (;;) {
      const messages = dispatcher.take(channel.id, moment(now))
      if (messages.length === 0) return
      count += messages.length
      for (const message of messages) dispatcher.finish(message, 'delivered', moment(now))
    }
  }
  const wait = (until: number) => {
    for (;;) {
      const next = dispatcher.nextDue(now) ?? Infinity
      if (next > until) break
      now = Math.max(now, next)
      dispatcher.due(moment(now))
      send()
    }
    now = until
  }
  for (const [at, together] of Map.groupBy(changes, (change) => change.at)) {
    wait(at)
    dispatcher.apply(together, moment(at))
    send()
  }
  wait(to)
  return count
}
