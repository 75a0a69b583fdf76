import type { IncomingMessage } from 'node:http'
import { callerWith } from '../appliance/accounts.ts'
import type { Appliance, Caller, Product } from '../appliance/appliance.ts'
import { ApiError } from '../api/api-error.ts'
import { tokenIn } from '../api/authorization.ts'
import { sameText } from '../access/tickets.ts'
import { errorReply, send } from './reply.ts'
import { pbsRoutes } from './routes.ts'

const audit = ['Sys.Audit', 'Datastore.Audit']

export const pbs: Product = {
  kind: 'pbs',
  title: 'Proxmox Backup Server',
  ticketPrefix: 'PBS',
  cookie: 'PBSAuthCookie',
  roles: { Admin: [...audit, 'Sys.Modify'], Audit: audit, DatastoreAudit: ['Datastore.Audit'], NoAccess: [] },
  routes: pbsRoutes,
  identify: byToken,
  invalidTicket: 'authentication failed - invalid ticket - ticket verification failed',
  forbidden: () => new ApiError(403, 'permission check failed'),
  unknownPath: ({ path }) => new ApiError(404, `Path '/api2/json${path}' not found.`),
  errorReply,
  send,
}

/** `PBSAPIToken=user@realm!name:secret`: the first colon is the separator. */
function byToken(appliance: Appliance, request: IncomingMessage): Caller {
  const refuse = (reason: string): never => {
    throw new ApiError(401, `authentication failed - ${reason}`)
  }
  const given = tokenIn(request.headers.authorization ?? '', 'PBSAPIToken')
  if (given === undefined) return refuse('no authentication credentials provided.')
  const cut = given.indexOf(':')
  const tokenId = given.slice(0, Math.max(0, cut))
  const [userId = '', name = ''] = tokenId.split('!')
  if (cut < 0 || name === '' || !userId.includes('@')) return refuse('failed to parse API token header')
  const account = appliance.accounts.get(userId)
  const token = appliance.tokens.get(tokenId)
  if (!account || !token?.enabled || token.expired)
    return refuse('user account or token disabled or expired.')
  if (!sameText(token.secret, given.slice(cut + 1))) return refuse('invalid API token secret')
  return callerWith(appliance.product, account, token)
}
