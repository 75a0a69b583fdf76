import type { AlertConfig } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { AlertChange } from '../alerts/stored.ts'
import type { ChannelInfo } from '../notify/dispatch.ts'
import { Dispatcher } from '../notify/dispatcher.ts'
import { mailRows } from '../notify/mail.ts'

/** Every channel of the product gets the same messages, unless it fails. Mail names the fewest alerts. */
const channel: ChannelInfo = {
  id: 'played',
  kind: 'email',
  name: 'played',
  enabled: true,
  capacity: { firing: mailRows, resolved: mailRows },
}

/** Counts the messages to one channel that is never late. */
export class PlayedMessages {
  readonly #dispatcher: Dispatcher
  count = 0

  constructor(config: AlertConfig, moment: Moment) {
    const none = { open: [], log: [], endOf: () => undefined, underWay: [], sent: [] }
    this.#dispatcher = new Dispatcher(config, [channel], none, moment)
  }

  take(changes: readonly AlertChange[], moment: Moment): void {
    if (changes.length === 0) return
    this.#dispatcher.apply(changes, moment)
    this.#send(moment)
  }

  due(moment: Moment): void {
    this.#dispatcher.due(moment)
    this.#send(moment)
  }

  /** monotonic */
  nextDue(after: number): number {
    return this.#dispatcher.nextDue(after) ?? Infinity
  }

  #send(moment: Moment): void {
    while (this.#dispatcher.isBusy) this.#dispatcher.step(moment)
    for (;;) {
      const messages = this.#dispatcher.take(channel.id, moment)
      if (messages.length === 0) break
      this.count += messages.length
      for (const message of messages) this.#dispatcher.finish(message, 'delivered', moment)
    }
    this.#dispatcher.drain()
  }
}
