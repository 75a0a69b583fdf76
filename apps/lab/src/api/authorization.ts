import type { IncomingMessage } from 'node:http'

export function ticketIn(request: IncomingMessage, cookie: string, isRaw: boolean): string | undefined {
  const ticket = find(request.headers.cookie ?? '', new RegExp(`(?:^|[\\s;])${cookie}=([^;]*)`))
  return ticket === undefined || isRaw ? ticket : decode(ticket)
}

export function tokenIn(header: string, scheme: string): string | undefined {
  const token = find(header, new RegExp(`^${scheme}(?:=|\\s+)(.+)$`))
  return token === undefined ? undefined : decode(token)
}

const find = (header: string, pattern: RegExp): string | undefined =>
  pattern.exec(header)?.[1]?.trim() || undefined

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A ticket that is not encoded may contain a percent sign.
    return value
  }
}
