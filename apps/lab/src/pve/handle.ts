import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Node } from '../estate/estate.ts'
import type { Connection } from '../listener.ts'
import { isPage, pageReply, parseTarget, type Target } from '../api/target.ts'
import { serve } from '../serve.ts'
import { type Caller, rightsOf } from '../access/access.ts'
import { ApiError } from '../api/api-error.ts'
import { readBody } from '../api/body.ts'
import { identify } from './identify.ts'
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
    place: { cluster: node.cluster.name, node: node.name },
    target,
    template,
    connection,
    request,
    response,
    answer: () => answer(world, node, target, match, request, response),
    send,
  })
}

/** Login, path, rights, the right member, parameters: in the order PVE checks them. */
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
