import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type Delivery, type Reply, sendParts } from '../api/reply.ts'
import { callerWith } from '../appliance/accounts.ts'
import type { Appliance, Caller, Product } from '../appliance/appliance.ts'
import { ApiError } from '../api/api-error.ts'
import { tokenIn } from '../api/authorization.ts'
import { sameText } from '../access/tickets.ts'
import { refused } from './access.ts'
import { pbsRoutes } from './routes.ts'
import type { BackupServer } from './vault.ts'

export const ticketPrefix = 'PBS'

const audit = ['Sys.Audit', 'Datastore.Audit']

const roles = {
  Admin: [...audit, 'Remote.Audit', 'Sys.Modify'],
  Audit: audit,
  /** The privileges that the setup commands grant: Audit, and RemoteAudit on /remote. */
  Monitor: [...audit, 'Remote.Audit'],
  DatastoreAudit: ['Datastore.Audit'],
  NoAccess: [],
}

export const pbsProduct = (server: BackupServer, fingerprint: () => string): Product => ({
  kind: 'pbs',
  title: 'Proxmox Backup Server',
  ticketPrefix,
  cookie: 'PBSAuthCookie',
  roles,
  routes: pbsRoutes(server, fingerprint),
  identify: byToken,
  invalidTicket: 'authentication failed - invalid ticket - ticket verification failed',
  forbidden: refused,
  refusalShare: 1 / 6,
  unknownPath: ({ path }) => new ApiError(404, `Path '/api2/json${path}' not found.`),
  errorReply,
  send,
})

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

/** PBS sends the plain text with the JSON content type; the reason phrase has no details. */
function errorReply({ status, message, errors }: ApiError): Reply {
  const wrong = Object.entries(errors ?? {}).map(
    ([name, problem]) => `parameter '${name}': ${wordingOf(problem)}`,
  )
  const text = wrong.length > 0 ? `parameter verification errors\n\n${wrong.join('\n')}` : message
  return { status, contentType: 'application/json', body: Buffer.from(text) }
}

function wordingOf(problem: string): string {
  if (problem.startsWith('property is not defined')) return 'schema does not allow additional properties.'
  if (problem.startsWith('property is missing')) return 'parameter is missing and it is not optional.'
  return problem
}

/** PBS's Rust server sends no server name and keeps the connection open after errors. */
function send(
  _request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  delivery: Delivery = {},
): void {
  if (response.destroyed || response.headersSent) return
  const body = delivery.change?.(reply.body) ?? reply.body
  response.writeHead(reply.status, STATUS_CODES[reply.status] ?? '', {
    ...(reply.contentType && { 'Content-Type': reply.contentType }),
    ...(!delivery.chunked && !reply.parts && { 'Content-Length': body.length }),
    ...reply.headers,
  })
  if (reply.parts) sendParts(response, reply.parts)
  else if (delivery.write) delivery.write(response, body)
  else response.end(body)
}
