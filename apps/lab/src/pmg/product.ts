import type { Product } from '../appliance/appliance.ts'
import { ApiError } from '../api/api-error.ts'
import { errorReply, send } from '../pve/reply.ts'
import type { MailGateway } from './gateway.ts'
import { pmgRoutes } from './routes.ts'

/** PMG roles are global and not bound to paths. */
const everything = ['audit', 'statistics']
const roles = {
  root: everything,
  admin: everything,
  audit: everything,
  qmanager: ['statistics'],
  helpdesk: [],
}

export const ticketPrefix = 'PMG'

export const pmgProduct = (gateway: MailGateway): Product => ({
  kind: 'pmg',
  title: 'Proxmox Mail Gateway',
  ticketPrefix,
  cookie: 'PMGAuthCookie',
  roles,
  routes: pmgRoutes(gateway),
  identify: (_appliance, request) => {
    const isToken = /^P\w+APIToken\b/.test(request.headers.authorization ?? '')
    throw new ApiError(401, isToken ? 'API tokens not implemented' : 'No ticket', { bare: true })
  },
  invalidTicket: 'permission denied - invalid PMG ticket',
  forbidden: (path) => new ApiError(403, `Permission check failed (${path})`),
  refusalShare: 0,
  unknownPath: ({ method, path }) => new ApiError(501, `Method '${method} ${path}' not implemented`),
  errorReply: (error, { major }) => errorReply(error, { errorMessageInBody: major >= 9 }),
  send,
})
