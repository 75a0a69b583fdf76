import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'

export interface Reply {
  status: number
  /** Reason phrase; default is the usual one. */
  text?: string
  contentType?: string
  headers?: Record<string, string>
  body: Buffer
  /** Replaces the body for answers that are too long for memory. */
  parts?: Iterable<string>
}

/** Delays and pieces in which the bytes are sent. */
export interface Delivery {
  change?: (body: Buffer) => Buffer
  chunked?: true
  write?: (response: ServerResponse, body: Buffer) => void
}

export type Send = (
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  delivery?: Delivery,
) => void

/** An answer that is already serialised, envelope included. */
export class Serialised {
  readonly body: Buffer
  gzipped: Promise<Buffer> | undefined

  constructor(body: Buffer) {
    this.body = body
  }
}

/** A list that is generated while it is sent. */
export class Streamed {
  readonly items: Iterable<object>

  constructor(items: Iterable<object>) {
    this.items = items
  }
}

export const jsonType = 'application/json;charset=UTF-8'

export function okReply(data: unknown): Reply {
  const ok = { status: 200, contentType: jsonType }
  if (data instanceof Streamed) return { ...ok, body: Buffer.alloc(0), parts: listParts(data.items) }
  if (data instanceof Serialised) return { ...ok, body: data.body }
  return { ...ok, body: Buffer.from(JSON.stringify({ data: data ?? null })) }
}

const partLength = 32_768

function* listParts(items: Iterable<object>): Generator<string> {
  let part = '{"data":['
  let separator = ''
  for (const item of items) {
    part += separator + JSON.stringify(item)
    separator = ','
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}

/** Collects the whole answer, for faults that change its bytes. */
export const wholeReply = ({ parts, ...reply }: Reply): Reply =>
  parts === undefined ? reply : { ...reply, body: Buffer.from([...parts].join('')) }

/** Generates only as much as the client reads. */
export function sendParts(response: ServerResponse, parts: Iterable<string>): void {
  pipeline(Readable.from(parts), response, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') response.destroy(error)
  })
}
