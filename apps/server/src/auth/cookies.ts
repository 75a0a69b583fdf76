import { parseCookie, stringifySetCookie } from 'cookie'
import { createHmac } from 'node:crypto'
import type { Caller } from './caller.ts'

export const sessionCookie = 'pulse_session'
export const csrfCookie = 'pulse_csrf'

export const readCookies = (header: string | undefined): Record<string, string | undefined> =>
  header === undefined ? {} : parseCookie(header)

interface CookieOptions {
  https: boolean
  /** seconds; 0 removes the cookie */
  maxAge: number
  httpOnly?: boolean
  path?: string
}

export const setCookie = (
  name: string,
  value: string,
  { https, maxAge, httpOnly = true, path = '/' }: CookieOptions,
): string => stringifySetCookie({ name, value, path, maxAge, httpOnly, sameSite: 'lax', secure: https })

/**
 * One token for the whole session, derived from the cookie's value. Nothing is stored, all tabs get the same
 * token, and the token does not reveal the session.
 */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('pulse csrf').digest('hex')

export const csrfCookieOf = (
  sessionToken: string,
  { https }: Pick<Caller, 'https'>,
  maxAge: number,
): string => setCookie(csrfCookie, csrfTokenOf(sessionToken), { https, maxAge, httpOnly: false })
