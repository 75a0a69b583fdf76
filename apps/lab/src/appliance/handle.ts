import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../api/api-error.ts'
import { ticketIn } from '../api/authorization.ts'
import { readBody } from '../api/body.ts'
import { isPage, pageReply, parametersIn, parseTarget, type Target } from '../api/target.ts'
import { verifyParameters } from '../api/parameters.ts'
import { pauseUntilGone } from '../api/pause.ts'
import { okReply, type Reply } from '../api/reply.ts'
import type { Connection } from '../listener.ts'
import { serve, type Serving } from '../serve.ts'
import { callerWith } from './accounts.ts'
import type { Appliance, ApplianceRoute, Caller } from './appliance.ts'

interface Match {
  route: ApplianceRoute
  params: Record<string, string>
}

export function handleAppliance(
  world: Serving,
  appliance: Appliance,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request)
  const match = target.page ? undefined : matchRoute(appliance, target)
  return serve({
    world,
    receiver: { cluster: appliance.name, node: appliance.name },
    target,
    template: match?.route.path ?? (isPage(target) ? target.path : 'unknown'),
    connection,
    request,
    response,
    answer: () => answer(world, appliance, target, match, request, response),
    send: appliance.product.send,
  })
}

const split = new WeakMap<readonly ApplianceRoute[], { route: ApplianceRoute; expected: string[] }[]>()

function matchRoute({ product, release }: Appliance, { method, path }: Target): Match | undefined {
  const segments = path.split('/')
  let routes = split.get(product.routes)
  if (!routes) {
    routes = product.routes.map((route) => ({ route, expected: route.path.split('/') }))
    split.set(product.routes, routes)
  }
  for (const { route, expected } of routes) {
    if ((route.method ?? 'GET') !== method || (route.since ?? 0) > release.major) continue
    const params = expected.length === segments.length ? parametersIn(expected, segments) : undefined
    if (params) return { route, params }
  }
  return undefined
}

async function answer(
  world: Serving,
  appliance: Appliance,
  target: Target,
  match: Match | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  const { product, release } = appliance
  try {
    if (target.page) return pageReply(target, appliance.name, product.title)
    const caller = match?.route.open ? anonymous : callerOf(world, appliance, request)
    const body = target.method === 'POST' ? await readBody(request) : {}
    if (!match) throw product.unknownPath(target)
    const params = { ...target.query, ...body, ...match.params }
    verifyParameters(params, match.route.query ?? {}, new Set(Object.keys(match.params)))
    const { needs } = match.route
    const { privilege, path } = typeof needs === 'object' ? needs : { privilege: needs, path: '/' }
    if (privilege !== undefined && !caller.may(privilege, filledIn(path, params))) {
      throw product.forbidden(target.path, privilege)
    }
    const pause = (ms: number) => pauseUntilGone(response, ms)
    return okReply(await match.route.answer({ appliance, caller, params, now: world.settings.now, pause }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const share = error.status === 401 ? 1 : error.status === 403 ? product.refusalShare : 0
    await pauseUntilGone(response, world.settings.authDelayMs * share)
    return product.errorReply(error, release)
  }
}

const filledIn = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

const anonymous: Caller = { userId: '', may: () => false }

function callerOf(world: Serving, appliance: Appliance, request: IncomingMessage): Caller {
  const { product, tickets, accounts } = appliance
  const ticket = ticketIn(request, product.cookie, world.settings.rawCookies)
  if (ticket === undefined) return product.identify(appliance, request)
  const account = accounts.get(tickets.verify(ticket) ?? '')
  if (!account) throw new ApiError(401, product.invalidTicket, { bare: true })
  return callerWith(product, account)
}
