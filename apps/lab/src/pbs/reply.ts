import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from '../api/api-error.ts'
import { sendParts } from '../api/reply.ts'
import type { Delivery, Reply } from '../api/reply.ts'

/** The bare text, although it calls itself JSON; the reason phrase says nothing. */
export function errorReply({ status, message, errors }: ApiError): Reply {
  const wrong = Object.entries(errors ?? {}).map(
    ([name, problem]) => `parameter '${name}': ${wordingOf(problem)}`,
  )
  const text = wrong.length > 0 ? `parameter verification errors\n\n${wrong.join('\n')}` : message
  return { status, contentType: 'application/json', body: Buffer.from(text) }
}

function wordingOf(problem: string): string {
  if (problem.startsWith('property is not defined')) return 'schema does not allow additional properties.'
  if (problem.startsWith('property is missing')) return 'parameter is missing and it is not optional.'
  return problem
}

/** The Rust server: no name, no hanging up after an error. */
export function send(
  _request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  delivery: Delivery = {},
): void {
  if (response.destroyed || response.headersSent) return
  const body = delivery.change?.(reply.body) ?? reply.body
  response.writeHead(reply.status, STATUS_CODES[reply.status] ?? '', {
    ...(reply.contentType && { 'Content-Type': reply.contentType }),
    ...(!delivery.chunked && !reply.parts && { 'Content-Length': body.length }),
    ...reply.headers,
  })
  if (reply.parts) sendParts(response, reply.parts)
  else if (delivery.write) delivery.write(response, body)
  else response.end(body)
}
