import type { Clock, Connection } from '@pulse/domain'
import { backoffMs, hostBackoff } from '../../timing/backoff.ts'
import type { HttpsHost } from '../https.ts'
import { SourceError } from '../source-error.ts'
import { callApi } from './call.ts'
import type { Product } from './product.ts'
import { readOne, Ticket } from './schema.ts'

/** Authenticates calls to a Proxmox product. */
export interface Session {
  headers(host: HttpsHost, label: string): Promise<Record<string, string>>
  /** A call with these headers was answered with 401. Returns whether another sign-in may help. */
  refused(headers: Record<string, string>): boolean
}

/** Tickets are valid for two hours on every member of the cluster. */
const renewAfterMs = 3_600_000
/** Every refused attempt costs the host 3 s and may contribute to a ban of Pulse's address. */
const refusalPauseMs = 30_000

/** Pulse sends the ticket back unchanged, so it must not contain characters that end a cookie or a header. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,4096}$/

/** `loggingIn` is called for every sign-in call. */
export function openSession(
  auth: Connection['auth'],
  product: Product,
  clock: Clock,
  loggingIn: () => void,
): Session {
  if (auth.type === 'token') {
    const { token } = product
    if (!token) {
      const error = new SourceError(
        'unsupported',
        `${product.title} has no API tokens. Use a user name and password.`,
      )
      return { headers: () => Promise.reject(error), refused: () => false }
    }
    const headers = {
      authorization: `${token.scheme}=${auth.tokenId}${token.separator}${auth.secret.reveal()}`,
    }
    return { headers: () => Promise.resolve(headers), refused: () => false }
  }

  const { password } = auth
  const username = auth.user.includes('@') ? auth.user : `${auth.user}@${product.realm}`
  let ticket: { headers: Record<string, string>; at: number } | undefined
  const issued = new WeakSet<Record<string, string>>()
  let refusal: { error: SourceError; until: number; count: number } | undefined
  // By host: a dead host must not fail the sign-in through another one.
  const pending = new Map<HttpsHost, Promise<Record<string, string>>>()

  async function logIn(host: HttpsHost, label: string) {
    loggingIn()
    const form = { username, password: password.reveal() }
    const data = await callApi(host, label, { method: 'POST', path: '/access/ticket', form, headers: {} })
    const answer = readOne(Ticket, data, '/access/ticket')
    // PBS marks it only in the ticket.
    if (answer.NeedTFA || /^\w+:!tfa!/.test(answer.ticket ?? '')) {
      throw new SourceError(
        'unauthorized',
        `${label}: two-factor authentication is enabled for ${username}; use ${product.token ? 'an API token' : 'another account'} instead`,
      )
    }
    if (!answer.ticket || !cookieValue.test(answer.ticket))
      throw new SourceError('bad_answer', `${label}: the login returned no usable ticket`)
    refusal = undefined
    ticket = {
      headers: { cookie: `${product.cookie}=${answer.ticket}` },
      at: clock.monotonic(),
    }
    issued.add(ticket.headers)
    return ticket.headers
  }

  function remember(error: unknown): never {
    if (error instanceof SourceError && error.code === 'unauthorized') {
      const count = (refusal?.count ?? 0) + 1
      refusal = {
        error,
        count,
        until: clock.monotonic() + Math.max(refusalPauseMs, backoffMs(hostBackoff, count)),
      }
    }
    throw error
  }

  return {
    async headers(host, label) {
      if (ticket && clock.monotonic() - ticket.at < renewAfterMs) return ticket.headers
      if (refusal && clock.monotonic() < refusal.until) throw refusal.error
      let login = pending.get(host)
      if (!login) {
        login = logIn(host, label)
          .catch(remember)
          .finally(() => pending.delete(host))
        pending.set(host, login)
      }
      return login
    },
    refused(headers) {
      if (!issued.has(headers)) return false
      // Several calls are refused at once when a ticket expires. One sign-in serves all of them.
      if (ticket?.headers === headers) ticket = undefined
      return true
    },
  }
}
