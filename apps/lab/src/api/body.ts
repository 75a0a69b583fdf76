import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'

const maxBytes = 64 * 1024

/** Form or JSON, as pveproxy accepts them. */
export async function readBody(request: IncomingMessage): Promise<Record<string, string>> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim()
  if (!['', 'application/x-www-form-urlencoded', 'application/json'].includes(type)) {
    throw new ApiError(506, `upload 'Content-Type '${type}' not implemented`, { bare: true })
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new ApiError(501, 'for data too large', { bare: true })
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  return type === 'application/json' ? fromJson(text) : Object.fromEntries(new URLSearchParams(text))
}

function fromJson(text: string): Record<string, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw Object.assign(new ApiError(501, 'malformed JSON string', { bare: true }), { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(501, 'malformed JSON string', { bare: true })
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, String(entry)]))
}
