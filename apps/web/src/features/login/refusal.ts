import type { ErrorBody, LoginReply } from '@pulse/contract'

type Refusal = Partial<
  Pick<LoginReply, 'message' | 'remainingMinutes' | 'remaining' | 'locked'> & Pick<ErrorBody, 'error'>
>

const isOf = (body: object, type: 'string' | 'number' | 'boolean', ...fields: (keyof Refusal)[]) =>
  fields.every((field) => ['undefined', type].includes(typeof (body as Refusal)[field]))

/** Everything is optional: a proxy in between may have answered instead of the server. */
function isRefusal(body: unknown): body is Refusal {
  return (
    typeof body === 'object' &&
    body !== null &&
    isOf(body, 'string', 'message', 'error') &&
    isOf(body, 'number', 'remainingMinutes', 'remaining') &&
    isOf(body, 'boolean', 'locked')
  )
}

/** What to tell people whose sign-in was refused. */
export function refusalText(status: number, body: unknown): string {
  const { message, error, remainingMinutes = 0, remaining = 0, locked } = isRefusal(body) ? body : {}
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
