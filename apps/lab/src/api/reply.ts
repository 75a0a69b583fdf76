import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Reply {
  status: number
  /** Reason phrase; default is the usual one. */
  text?: string
  contentType?: string
  headers?: Record<string, string>
  body: Buffer
}

/** How the bytes leave when not simply at once. */
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

/** An answer that was serialised already, envelope included. */
export class Serialised {
  readonly body: Buffer
  gzipped: Promise<Buffer> | undefined

  constructor(body: Buffer) {
    this.body = body
  }
}

export const jsonType = 'application/json;charset=UTF-8'

export const okReply = (data: unknown): Reply => ({
  status: 200,
  contentType: jsonType,
  body: data instanceof Serialised ? data.body : Buffer.from(JSON.stringify({ data: data ?? null })),
})
