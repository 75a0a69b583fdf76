import { checkPassword } from '../appliance/accounts.ts'
import type { ApplianceCall, ApplianceRoute, Product } from '../appliance/appliance.ts'
import { versionOf } from '../api/version.ts'
import { ApiError } from '../api/api-error.ts'
import { errorReply, send } from '../pve/reply.ts'

/** Roles are global: there are no paths that they hang on. */
const roles = { root: ['audit'], admin: ['audit'], audit: ['audit'], qmanager: [], helpdesk: [] }

const routes: readonly ApplianceRoute[] = [
  { path: '/version', answer: ({ appliance }) => versionOf(appliance.release) },
  { path: '/nodes', answer: ({ appliance }) => [{ node: appliance.name }] },
  {
    path: '/access/auth-realm',
    since: 8,
    open: true,
    answer: () => [
      { realm: 'pam', type: 'pam', comment: 'Linux PAM standard authentication' },
      { realm: 'pmg', type: 'pmg', comment: 'Proxmox Mail Gateway authentication server', default: 1 },
    ],
  },
  { path: '/access/ticket', open: true, answer: () => null },
  {
    method: 'POST',
    path: '/access/ticket',
    open: true,
    query: {
      username: { required: 'string' },
      password: { required: 'string' },
      realm: 'string',
      otp: 'string',
      path: 'string',
      'tfa-challenge': 'string',
    },
    answer: signIn,
  },
  { path: '/config/cluster/status', needs: 'audit', query: { list_single_node: 'boolean' }, answer: members },
]

export const pmg: Product = {
  kind: 'pmg',
  title: 'Proxmox Mail Gateway',
  ticketPrefix: 'PMG',
  cookie: 'PMGAuthCookie',
  roles,
  routes,
  identify: (_appliance, request) => {
    const isToken = /^P\w+APIToken\b/.test(request.headers.authorization ?? '')
    throw new ApiError(401, isToken ? 'API tokens not implemented' : 'No ticket', { bare: true })
  },
  invalidTicket: 'permission denied - invalid PMG ticket',
  forbidden: (path) => new ApiError(403, `Permission check failed (${path})`),
  unknownPath: ({ method, path }) => new ApiError(501, `Method '${method} ${path}' not implemented`),
  errorReply: (error, { major }) => errorReply(error, { errorMessageInBody: major >= 9 }),
  send,
}

function signIn({ appliance, params }: ApplianceCall) {
  const username = params.realm ? `${params.username}@${params.realm}` : params.username!
  const { account, renewing } = checkPassword(appliance, username, params.password!, 'authentication failure')
  const { ticket, csrfToken } = appliance.tickets.issue(username)
  const common = { username, CSRFPreventionToken: csrfToken }
  if (account.secondFactor && !renewing) {
    return { ...common, ticket: appliance.tickets.issueChallenge(username), NeedTFA: 1 }
  }
  return { ...common, ticket, role: account.role }
}

function members({ appliance, params }: ApplianceCall) {
  if (params.list_single_node !== '1') return []
  return [{ cid: 0, name: appliance.name, ip: appliance.address, type: '-', insync: 1 }]
}
