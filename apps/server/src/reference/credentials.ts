import { allScopes, type Endpoint, needsCsrf } from '@pulse/contract'

/** Authentication methods. Cookies count only with a header that a page of another site cannot send. */
export const securitySchemes = {
  apiToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Token',
    description: 'An API token, created in Settings → Security. Its scopes limit what it may do.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API token as `Authorization: Bearer …`.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'User name and password of an account, sent with every call. Wrong ones count as failed sign-ins.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'pulse_session',
    description: 'A session, started by a sign-in.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description:
      'The value of the cookie `pulse_csrf`. A session needs it for every call that changes something.',
  },
} as const

type Requirement = Partial<Record<keyof typeof securitySchemes, readonly string[]>>

/** Any of these methods is accepted; a token needs the listed scopes. */
export function securityOf(endpoint: Endpoint): Requirement[] {
  const { access, scope = 'none' } = endpoint
  if (access === 'public') return []
  const scopes = scope === 'all' ? allScopes : [scope]
  const byToken: Requirement[] = scope === 'none' ? [] : [{ apiToken: scopes }, { bearer: scopes }]
  const session: Requirement = needsCsrf(endpoint) ? { session: [], csrf: [] } : { session: [] }
  return [...byToken, { basic: [] }, session]
}

/** The same as text. */
export function callersOf({ access, scope = 'none' }: Endpoint): string {
  if (access === 'public') return 'No sign-in required.'
  const who = access === 'admin' ? 'For administrators.' : 'For signed-in users.'
  if (scope === 'none') return `${who} API tokens are not accepted.`
  return `${who} An API token needs ${scope === 'all' ? 'every scope' : `the scope \`${scope}\``}.`
}
