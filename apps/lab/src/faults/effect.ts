import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Delivery, Reply } from '../api/reply.ts'
import type { Fault } from './faults.ts'

const usualTexts: Record<number, string> = {
  401: 'permission denied - invalid PVE ticket',
  403: 'Permission check failed',
  429: 'Too Many Requests',
  595: 'No route to host',
  596: 'Connection timed out',
}

const signInPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>
`

/** The answer of this fault if it replaces the real one. */
export function replyFor(fault: Fault): Reply | undefined {
  if (fault.kind === 'html') {
    return { status: 200, contentType: 'text/html; charset=utf-8', body: Buffer.from(signInPage) }
  }
  if (fault.kind === 'huge') {
    return { status: 200, contentType: 'application/json;charset=UTF-8', body: Buffer.alloc(0) }
  }
  if (fault.kind !== 'status') return undefined
  const status = fault.status ?? 500
  const text = fault.text ?? usualTexts[status]
  return {
    status,
    ...(text !== undefined && { text }),
    ...(status === 429 && { headers: { 'Retry-After': '10' } }),
    body: Buffer.alloc(0),
  }
}

export function deliveryFor(fault: Fault | undefined): Delivery | undefined {
  switch (fault?.kind) {
    case 'broken-json':
      return { change: (body) => body.subarray(0, Math.floor(body.length / 2)) }
    case 'texts':
      return { change: (body) => withTexts(body, fault) }
    case 'dribble':
      return { write: (response, body) => dribble(response, body, fault.bytesPerSecond ?? 1) }
    case 'crumbs':
      return { chunked: true, write: (response, body) => crumble(response, body, fault.bytes ?? 10_000) }
    case 'huge':
      return { chunked: true, write: (response) => flood(response, fault.bytes ?? 1_000_000_000) }
    default:
      return undefined
  }
}

function dribble(response: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  let sent = 0
  const timer = setInterval(() => {
    if (sent >= body.length) {
      clearInterval(timer)
      response.end()
      return
    }
    response.write(body.subarray(sent, ++sent))
  }, 1000 / bytesPerSecond)
  response.once('close', () => clearInterval(timer))
}

/** Sends each blank separately, as fast as the client reads. */
function crumble(response: ServerResponse, body: Buffer, blanks: number): void {
  let left = blanks
  const next = () => {
    if (response.destroyed) return
    if (left-- <= 0) return void response.end(body)
    if (response.write(' ')) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}

const filler = Buffer.from(`{"id":"qemu/100","name":"${'x'.repeat(65_000)}"},`)

function flood(response: ServerResponse, bytes: number): void {
  let left = bytes
  response.write('{"data":[')
  const pour = () => {
    while (left > 0) {
      left -= filler.length
      if (!response.write(filler)) {
        response.once('drain', pour)
        return
      }
    }
    response.end('{}]}')
  }
  pour()
}

/** A text gets the same replacement in every answer, so answers are stable. */
function withTexts(body: Buffer, { fields = [], texts = [] }: Fault): Buffer {
  const said = (field: string, text: string) => texts[hash(`${field} ${text}`) % texts.length]
  const bent = (field: string, value: unknown) =>
    typeof value === 'string' && texts.length > 0 && fields.includes(field) ? said(field, value) : value
  return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'), bent)))
}

const hash = (text: string) => createHash('sha256').update(text).digest().readUInt32BE()
