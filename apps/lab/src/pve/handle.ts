import type { IncomingMessage, ServerResponse } from 'node:http'
import { sameText, type Tickets } from '../access/tickets.ts'
import { ticketIn, tokenIn } from '../api/authorization.ts'
import type { Node } from '../estate/estate.ts'
import type { Connection } from '../listener.ts'
import { isPage, pageReply, parseTarget, type Target } from '../api/target.ts'
import { serve } from '../serve.ts'
import { type Access, type Caller, rightsOf } from '../access/access.ts'
import { ApiError } from '../api/api-error.ts'
import { readBody } from '../api/body.ts'
import { verifyParameters } from '../api/parameters.ts'
import { pauseUntilGone } from '../api/pause.ts'
import { okReply, type Reply } from '../api/reply.ts'
import { compressReply, errorReply, send } from './reply.ts'
import type { PveWorld, Route } from './route.ts'
import { type Match, matchRoute } from './routes.ts'

const knownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE'])

export async function handle(
  world: PveWorld,
  node: Node,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request)
  const match = target.page ? undefined : matchRoute(target.method, target.path, node.cluster.release.major)
  const template = match?.route.path ?? (isPage(target) ? target.path : 'unknown')
  return serve({
    world,
    receiver: { cluster: node.cluster.name, node: node.name },
    target,
    template,
    connection,
    request,
    response,
    answer: () => answer(world, node, target, match, request, response),
    send,
  })
}

/** Login, path, rights, target member, parameters: the order in which PVE checks them. */
async function answer(
  world: PveWorld,
  node: Node,
  target: Target,
  match: Match | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  const { release, access } = node.cluster
  try {
    if (!knownMethods.has(target.method))
      throw new ApiError(501, `method '${target.method}' not available`, { bare: true })
    if (target.page) return pageReply(target, node.name, 'Proxmox Virtual Environment')
    const caller = callerOf(world, node, request, match?.route)
    const body = target.method === 'POST' ? await readBody(request) : {}
    if (!match) throw new ApiError(501, `Method '${target.method} ${target.path}' not implemented`)
    const rights = rightsOf(access, caller)
    const missing = match.route.missing?.(rights, match.params, node.cluster)
    if (missing) throw new ApiError(403, `Permission check failed (${missing})`)
    if (match.params.node !== undefined && !match.route.anyMember) {
      await reachMember(world, node, match.params.node, response)
    }
    const params = { ...target.query, ...body, ...match.params }
    verifyParameters(params, match.query, new Set(Object.keys(match.params)))
    const data = await match.route.answer({
      world,
      cluster: node.cluster,
      local: node,
      caller,
      rights,
      params,
      pause: (ms) => pauseUntilGone(response, ms),
    })
    return await compressReply(request, okReply(data), data)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) await pauseUntilGone(response, world.settings.authDelayMs)
    return errorReply(error, release)
  }
}

const anonymous: Caller = { userId: '', token: undefined }

function callerOf(world: PveWorld, node: Node, request: IncomingMessage, route: Route | undefined): Caller {
  if (route?.open) return anonymous
  const { access } = node.cluster
  const { now, rawCookies } = world.settings
  return identify(request, { access, tickets: world.tickets.get(node.cluster)!, now, rawCookies })
}

/** The receiving member forwards the request to the addressed one. */
async function reachMember(
  world: PveWorld,
  local: Node,
  name: string,
  response: ServerResponse,
): Promise<void> {
  if (name === 'localhost' || name === local.name) return
  const member = local.cluster.nodes.find((node) => node.name === name)
  if (!member) {
    throw new ApiError(
      500,
      `hostname lookup '${name}' failed - failed to get address info for: ${name}: Name or service not known`,
    )
  }
  if (member.online) return
  await pauseUntilGone(response, world.settings.giveUpMs)
  throw new ApiError(595, 'No route to host', { bare: true })
}

interface Identification {
  access: Access
  tickets: Tickets
  now: () => number
  /** see LabOptions */
  rawCookies: boolean
}

/** The caller. Throws the 401, which PVE sends after a delay. */
function identify(request: IncomingMessage, { access, tickets, now, rawCookies }: Identification): Caller {
  // If both are sent, the ticket takes precedence over the token.
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
    // PVE 9 writes the reason only to its own log.
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
