import type { IncomingMessage } from 'node:http'
import type { Access, Caller } from '../access/access.ts'
import { ApiError } from '../api/api-error.ts'
import { ticketIn, tokenIn } from '../api/authorization.ts'
import { sameText } from '../access/tickets.ts'
import type { Tickets } from '../access/tickets.ts'

interface Identification {
  access: Access
  tickets: Tickets
  now: () => number
  /** see LabOptions */
  rawCookies: boolean
}

/** The caller. Throws the 401 that PVE answers after a delay. */
export function identify(
  request: IncomingMessage,
  { access, tickets, now, rawCookies }: Identification,
): Caller {
  // A ticket wins over a token when both are sent.
  const ticket = ticketIn(request, 'PVEAuthCookie', rawCookies)
  if (ticket !== undefined) return byTicket(ticket, request, access, tickets)
  const token = tokenIn(request.headers.authorization ?? '', 'PVEAPIToken')
  if (token !== undefined) return byToken(token, access, now())
  throw new ApiError(401, 'No ticket', { bare: true })
}

function byTicket(ticket: string, request: IncomingMessage, access: Access, tickets: Tickets): Caller {
  const userId = tickets.verify(ticket)
  if (userId === undefined || !access.users.has(userId)) {
    throw new ApiError(401, 'permission denied - invalid PVE ticket', { bare: true })
  }
  const csrfToken = request.headers.csrfpreventiontoken
  if (
    request.method !== 'GET' &&
    !(typeof csrfToken === 'string' && tickets.verifyCsrfToken(userId, csrfToken))
  ) {
    throw new ApiError(401, 'Permission denied - invalid csrf token', { bare: true })
  }
  return { userId, token: undefined }
}

function byToken(text: string, access: Access, nowMs: number): Caller {
  const cut = text.lastIndexOf('=')
  const tokenId = text.slice(0, Math.max(0, cut))
  const [userId = '', name = ''] = tokenId.split('!')
  const refuse = (reason: string): never => {
    // PVE 9 keeps the reason to its own log.
    throw new ApiError(401, access.major === 9 ? 'Authentication failed!' : reason, { bare: true })
  }
  if (cut < 0 || name === '') return refuse('no tokenid specified')
  if (!access.users.has(userId)) return refuse(`no such user ('${userId}')`)
  const token = access.tokens.get(tokenId)
  if (!token?.enabled) return refuse(`no such token '${name}' for user '${userId}'`)
  if (token.expiresAtMs !== undefined && token.expiresAtMs < nowMs)
    return refuse(`token '${name}' access expired`)
  if (!sameText(token.secret, text.slice(cut + 1))) return refuse('invalid token value!')
  return { userId, token }
}
