import type { IncomingMessage, ServerResponse } from 'node:http'
import { deliveryFor, replyFor } from './faults/effect.ts'
import type { Connection } from './listener.ts'
import { pauseUntilGone } from './pve/pause.ts'
import type { Delivery, Reply } from './pve/reply.ts'
import type { World } from './world.ts'

export interface Target {
  method: string
  /** Below /api2/json, or the whole path of a page. */
  path: string
  query: Record<string, string>
  page: boolean
}

export interface Exchange {
  world: Pick<World, 'requests' | 'faults' | 'settings'>
  place: { cluster: string; node: string }
  target: Target
  /** As the API documentation writes the path; `unknown` when it has none. */
  template: string
  connection: Connection
  request: IncomingMessage
  response: ServerResponse
  answer: () => Promise<Reply>
  send: (request: IncomingMessage, response: ServerResponse, reply: Reply, delivery?: Delivery) => void
}

const apiBase = '/api2/json'

export function parseTarget(request: IncomingMessage): Target {
  const url = new URL(request.url ?? '/', 'https://lab')
  const method = request.method ?? 'GET'
  const query = Object.fromEntries(url.searchParams)
  // Browsers add it so that nothing is cached; it is dropped unread.
  delete query._dc
  const path = decodePath(url.pathname)
  if (path !== apiBase && !path.startsWith(`${apiBase}/`)) return { method, path, query, page: true }
  return { method, path: path.slice(apiBase.length) || '/', query, page: false }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Malformed escapes are looked up as they are, and not found.
    return path
  }
}

/** Counts the request, lets it meet its faults, and answers it if they leave anything to answer. */
export async function serve(exchange: Exchange): Promise<void> {
  const { world, place, target, template, connection, request, response, send } = exchange
  const { method, path } = target
  const ended = world.requests.begin(place, method, template, template === 'unknown' ? template : path)
  response.once('close', ended)

  const faults = world.faults.strike({ ...place, path, template })
  for (const { kind, ms } of faults) if (kind === 'latency') await pauseUntilGone(response, ms ?? 0)
  const fault = faults.find(({ kind }) => kind !== 'latency')
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset') return connection.reset(request)
  const instead = fault && replyFor(fault)
  if (instead) {
    if (instead.status === 401) await pauseUntilGone(response, world.settings.authDelayMs)
    return send(request, response, instead, deliveryFor(fault))
  }
  send(request, response, await exchange.answer(), deliveryFor(fault))
}
