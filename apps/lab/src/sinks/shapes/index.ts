import type { IncomingHttpHeaders } from 'node:http'
import { discordProblems } from './discord.ts'
import { genericProblems } from './generic.ts'
import { isObject, type Json, type Problems } from './look.ts'
import { pagerdutyProblems } from './pagerduty.ts'
import { gotifyProblems, ntfyProblems, pushoverProblems } from './push.ts'
import { slackProblems } from './slack.ts'
import { adaptiveProblems, teamsProblems } from './teams.ts'
import { telegramProblems } from './telegram.ts'

export interface Incoming {
  url: URL
  headers: IncomingHttpHeaders
  text: string
}

interface Service {
  name: string
  /** a prefix of its path */
  path: RegExp
  problems(json: Json, incoming: Incoming): Problems
  /** its answer to an accepted message */
  taken: { status: number; body: unknown }
}

const json =
  (check: (body: Json, url: URL, headers: IncomingHttpHeaders) => Problems): Service['problems'] =>
  (body, { url, headers }) => [
    ...(/^application\/json\b/.test(headers['content-type'] ?? '')
      ? []
      : ['Content-Type must be application/json']),
    ...check(body, url, headers),
  ]

/** Each service at the path of its real URLs. */
const services: readonly Service[] = [
  {
    name: 'discord',
    path: /^\/api\/webhooks\/\d+\/[\w-]+$/,
    problems: json(discordProblems),
    taken: { status: 204, body: '' },
  },
  { name: 'slack', path: /^\/services\//, problems: json(slackProblems), taken: { status: 200, body: 'ok' } },
  {
    name: 'telegram',
    path: /^\/bot/,
    problems: json(telegramProblems),
    taken: { status: 200, body: { ok: true, result: { message_id: 1 } } },
  },
  {
    name: 'teams',
    path: /^\/webhookb2\//,
    problems: json(teamsOrAdaptive),
    taken: { status: 200, body: '1' },
  },
  {
    name: 'pagerduty',
    path: /^\/v2\/enqueue$/,
    problems: json(pagerdutyProblems),
    taken: { status: 202, body: { status: 'success', message: 'Event processed' } },
  },
  {
    name: 'pushover',
    path: /^\/1\/messages\.json$/,
    problems: json(pushoverProblems),
    taken: { status: 200, body: { status: 1, request: 'lab' } },
  },
  {
    name: 'gotify',
    path: /^\/message$/,
    problems: json(gotifyProblems),
    taken: { status: 200, body: { id: 1 } },
  },
  {
    name: 'ntfy',
    path: /^\/ntfy\//,
    problems: (_json, { text, url, headers }) => ntfyProblems(text, url, headers),
    taken: { status: 200, body: { id: 'lab', event: 'message' } },
  },
  {
    name: 'generic',
    path: /^\/generic(\/|$)/,
    problems: json(genericProblems),
    taken: { status: 200, body: { taken: true } },
  },
  // a service without its own payload format
  { name: 'json', path: /^\/json\//, problems: json(() => []), taken: { status: 200, body: {} } },
]

function teamsOrAdaptive(body: Json): Problems {
  return body['type'] === 'message' ? adaptiveProblems(body) : teamsProblems(body)
}

/** The service of a request, the problems, and the service's answer. Any other path accepts everything. */
export function judge(incoming: Incoming): {
  service: string
  json: unknown
  problems: Problems
  taken: Service['taken']
} {
  const service = services.find(({ path }) => path.test(incoming.url.pathname))
  const parsed = parse(incoming.text)
  if (!service) return { service: 'any', json: parsed, problems: [], taken: { status: 200, body: '' } }
  const body = isObject(parsed) ? parsed : {}
  const isText = service.name === 'ntfy'
  const problems =
    isText || isObject(parsed) ? service.problems(body, incoming) : ['the body is no JSON object']
  return { service: service.name, json: parsed, problems, taken: service.taken }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
