import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ApiError } from '../api/api-error.ts'
import { jsonType, Serialised } from '../api/reply.ts'
import type { Delivery, Reply } from '../api/reply.ts'

const compress = promisify(gzip)
const requestsPerConnection = 100
const smallestCompressed = 1024
const served = new WeakMap<Socket, number>()

export function errorReply(error: ApiError, release: { errorMessageInBody: boolean }): Reply {
  if (error.bare) return { status: error.status, text: error.message, body: Buffer.alloc(0) }
  const body = {
    data: null,
    ...(error.errors && { errors: error.errors }),
    ...(release.errorMessageInBody && { message: `${error.message}\n` }),
  }
  return {
    status: error.status,
    text: error.message,
    contentType: jsonType,
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Compresses on request; shared answers are compressed once. */
export async function compressReply(request: IncomingMessage, reply: Reply, source: unknown): Promise<Reply> {
  const asked = String(request.headers['accept-encoding'] ?? '').includes('gzip')
  if (!asked || reply.body.length <= smallestCompressed) return reply
  const packed = () => compress(reply.body, { level: 1 })
  const body = source instanceof Serialised ? await (source.gzipped ??= packed()) : await packed()
  return { ...reply, body, headers: { ...reply.headers, 'Content-Encoding': 'gzip' } }
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  delivery: Delivery = {},
): void {
  if (response.destroyed || response.headersSent) return
  const body = delivery.change?.(reply.body) ?? reply.body
  const date = new Date().toUTCString()
  const headers: Record<string, string | number> = {
    'Cache-Control': 'max-age=0',
    Connection: staysOpen(request, reply.status) ? 'Keep-Alive' : 'close',
    Date: date,
    Pragma: 'no-cache',
    Server: 'pve-api-daemon/3.0',
    ...(!delivery.chunked && { 'Content-Length': body.length }),
    ...(reply.contentType && { 'Content-Type': reply.contentType }),
    Expires: date,
    ...reply.headers,
  }
  response.writeHead(reply.status, reasonPhrase(reply), headers)
  if (delivery.write) delivery.write(response, body)
  else response.end(body)
}

/** pveproxy closes the connection after any error and after a hundred requests. */
function staysOpen(request: IncomingMessage, status: number): boolean {
  const count = (served.get(request.socket) ?? 0) + 1
  served.set(request.socket, count)
  return (
    status < 400 && count < requestsPerConnection && request.headers.connection?.toLowerCase() !== 'close'
  )
}

function reasonPhrase({ status, text }: Reply): string {
  const firstLine = (text ?? STATUS_CODES[status] ?? 'Unknown').split('\n')[0]!
  return firstLine.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}
