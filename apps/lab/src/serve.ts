import type { IncomingMessage, ServerResponse } from 'node:http'
import { pauseUntilGone } from './api/pause.ts'
import { wholeReply } from './api/reply.ts'
import type { Reply, Send } from './api/reply.ts'
import type { Target } from './api/target.ts'
import { deliveryFor, replyFor } from './faults/effect.ts'
import type { Faults } from './faults/faults.ts'
import type { Connection } from './listener.ts'
import type { Settings } from './options.ts'
import type { RequestLog } from './requests.ts'

/** Common dependencies of all listeners. */
export interface Serving {
  settings: Settings
  faults: Faults
  requests: RequestLog
}

export interface Exchange {
  world: Serving
  receiver: { cluster: string; node: string }
  target: Target
  /** Path as in the API documentation; `unknown` if undocumented. */
  template: string
  connection: Connection
  request: IncomingMessage
  response: ServerResponse
  answer: () => Promise<Reply>
  send: Send
}

/** Counts the request, applies its faults, and answers it unless a fault has answered. */
export async function serve(exchange: Exchange): Promise<void> {
  const { world, receiver, target, template, connection, request, response, send } = exchange
  const { method, path } = target
  const ended = world.requests.begin(receiver, method, template, template === 'unknown' ? template : path)
  response.once('close', ended)
  world.settings.onRequest({ ...receiver, path, from: request.socket.remoteAddress ?? '' })

  const faults = world.faults.strike({ ...receiver, path, template, query: target.query })
  for (const { kind, ms } of faults) if (kind === 'latency') await pauseUntilGone(response, ms ?? 0)
  const fault = faults.find(({ kind }) => kind !== 'latency')
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset') return connection.reset(request)
  const instead = fault && replyFor(fault)
  if (instead) {
    if (instead.status === 401) await pauseUntilGone(response, world.settings.authDelayMs)
    return send(request, response, instead, deliveryFor(fault))
  }
  const reply = await exchange.answer()
  if (!fault) return send(request, response, reply)
  send(request, response, wholeReply(reply), deliveryFor(fault))
}
