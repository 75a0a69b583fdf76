import { ErrorBody, LoginReply } from '@pulse/contract'
import * as z from 'zod/mini'

/** Everything is optional: a proxy in between may have answered instead of the server. */
const Refusal = z.partial(
  z.pick(z.object({ ...LoginReply.shape, error: ErrorBody.shape.error }), {
    message: true,
    error: true,
    remainingMinutes: true,
    remaining: true,
    locked: true,
  }),
)

/** What to tell people whose sign-in was refused. */
export function refusalText(status: number, body: unknown): string {
  const { message, error, remainingMinutes = 0, remaining = 0, locked } = Refusal.safeParse(body).data ?? {}
  const said = message || error
  switch (status) {
    case 403:
      if (remainingMinutes > 0) return `Account locked. Please try again in ${remainingMinutes} minute(s).`
      return said || 'Account temporarily locked due to too many failed attempts.'
    case 429:
      return said || 'Too many requests. Please wait a moment and try again.'
    case 401:
      if (locked) return said || 'Invalid username or password. Account is now locked.'
      return (
        (said || 'Invalid username or password.') +
        (remaining > 0 ? ` (${remaining} attempt(s) remaining)` : '')
      )
    default:
      return said || 'Server error. Please try again.'
  }
}
