import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportFailure } from '../report.ts'
import { type Behaviour, createBehaviours, type Behaviours } from './behaviour.ts'

/** One received request. */
export interface Call {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  text: string
  /** epoch ms */
  at: number
}

export interface HttpSink {
  origin: string
  behave: Behaviours['behave']
  close(): Promise<void>
}

type Take = (call: Call) => { status: number; body: unknown }

/** A web server on 127.0.0.1 that reads a whole request and then behaves as configured. */
export async function openHttpSink(port: number, take: Take): Promise<HttpSink> {
  const behaviours = createBehaviours()
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return // the client disconnected before the end of its request
      reportFailure(`${request.method} ${request.url}`, error)
      response.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const url = new URL(request.url!, origin)
    const { method = '', headers } = request
    const call = { method, url, headers, text: Buffer.concat(chunks).toString(), at: Date.now() }
    const behaviour = behaviours.of(url.pathname)
    const taken = take(call)
    if (behaviour.kind !== 'late') return respond(response, behaviour, taken)
    const timer = setTimeout(() => {
      timers.delete(timer)
      respond(response, { kind: 'take' }, taken)
    }, behaviour.ms)
    timers.add(timer)
  }

  return {
    origin,
    behave: behaviours.behave,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function respond(response: ServerResponse, behaviour: Behaviour, taken: { status: number; body: unknown }) {
  switch (behaviour.kind) {
    case 'hang':
      return
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'redirect':
      return void response.writeHead(behaviour.status, { location: behaviour.location }).end()
    case 'status': {
      const { status, retryAfter, body = '' } = behaviour
      return void response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end(body)
    }
    default: {
      const isText = typeof taken.body === 'string'
      response.writeHead(taken.status, { 'content-type': isText ? 'text/plain' : 'application/json' })
      response.end(
        taken.status === 204 ? undefined : isText ? String(taken.body) : JSON.stringify(taken.body),
      )
    }
  }
}
