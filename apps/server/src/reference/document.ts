import { type Endpoint, type ErrorCode, ErrorBody } from '@pulse/contract'
import type { AnyAbout, Chapter } from '@pulse/contract/reference'
import { statusOf } from '../app-error.ts'
import { callersOf, securityOf, securitySchemes } from './credentials.ts'
import { byStatus, refusalsOf } from './refusals.ts'
import { createSchemas, type JsonSchema, type Known } from './schemas.ts'

/** Input of the API reference. */
export interface DocumentInput extends Known {
  /** by name in the contract */
  calls: Readonly<Record<string, Endpoint>>
  chapters: readonly Chapter[]
  /** comments of the calls, from the contract */
  callCommentOf: ReadonlyMap<Endpoint, string>
  /** a real answer of each call, by the call's name */
  answers: Readonly<Record<string, unknown>>
  /** the meaning of an error code */
  meaningOf: (code: ErrorCode) => string
}

export interface OpenApi {
  openapi: string
  info: { title: string; version: string } & JsonSchema
  servers: { url: string }[]
  paths: Record<string, Record<string, JsonSchema>>
  components: Record<string, Record<string, JsonSchema>>
  [more: string]: unknown
}

const json = 'application/json'
const unsorted: Chapter = { tag: 'Other calls', description: 'Calls without a chapter.', calls: {} }

/** Builds the OpenAPI 3.1 document of the whole API from the declarations of its calls. */
export function openApiDocument(input: DocumentInput): OpenApi {
  const schemas = createSchemas(input)
  const responses = refusalResponses(input, schemas.of(ErrorBody, 'output'))
  const paths: OpenApi['paths'] = {}
  const order = (e: Endpoint) => `${e.path} ${e.method}`
  const calls = Object.entries(input.calls).toSorted(([, a], [, b]) => (order(a) < order(b) ? -1 : 1))
  const used = new Set<Chapter>()
  for (const [name, endpoint] of calls) {
    const chapter = input.chapters.find(({ calls: own }) => Object.hasOwn(own, name)) ?? unsorted
    used.add(chapter)
    const about = chapter.calls[name] ?? { summary: name }
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = operation(name, endpoint, about, chapter.tag)
  }

  function operation(name: string, endpoint: Endpoint, about: AnyAbout, tag: string): JsonSchema {
    const comment = input.callCommentOf.get(endpoint)
    const codes = [...refusalsOf(endpoint), ...(about.errors ?? [])]
    const parameters = [
      ...parametersOf(endpoint, 'params', about.params),
      ...parametersOf(endpoint, 'query', about.query),
    ]
    const body = bodyOf(endpoint, about)
    return {
      operationId: name,
      tags: [tag],
      summary: about.summary,
      description: [comment, callersOf(endpoint)].filter(Boolean).join('\n\n'),
      ...(comment?.startsWith('Deprecated') ? { deprecated: true } : {}),
      security: securityOf(endpoint),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: body } : {}),
      responses: {
        ...goodAnswer(name, endpoint),
        ...Object.fromEntries(
          byStatus(codes).map(([status, group]) => [status, responses.for(status, group)]),
        ),
      },
    }
  }

  function parametersOf(endpoint: Endpoint, part: 'params' | 'query', example: unknown): JsonSchema[] {
    const schema = endpoint[part]
    if (!schema) return []
    const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    const examples = new Map(Object.entries((example ?? {}) as object))
    return Object.entries(properties).map(([name, { description, ...field }]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: field,
      ...(examples.has(name) ? { example: examples.get(name) } : {}),
    }))
  }

  function bodyOf({ body, bodyLimit, inflatedLimit }: Endpoint, about: AnyAbout): JsonSchema | undefined {
    if (!body) return undefined
    const limits = [
      `At most ${bytes(bodyLimit!)}`,
      ...(inflatedLimit === undefined
        ? []
        : [`or, with \`Content-Encoding: gzip\`, up to ${bytes(inflatedLimit)}`]),
    ]
    return {
      description: `${limits.join(', ')}.`,
      required: !body.safeParse(undefined).success,
      content: {
        [json]: {
          schema: schemas.of(about.shape ?? body, 'input'),
          ...('body' in about && { example: about.body }),
        },
      },
    }
  }

  function goodAnswer(name: string, endpoint: Endpoint): JsonSchema {
    const { reply, media, status = 200 } = endpoint
    if (media === 'redirect') {
      const Location = { description: 'where it leads', schema: { type: 'string' } }
      return { 302: { description: 'Redirects to another address.', headers: { Location } } }
    }
    if (media) {
      const content = Object.fromEntries(
        media.map((type) => [type, type.startsWith('text/') ? { schema: { type: 'string' } } : {}]),
      )
      return { [status]: { description: 'A file or text.', content } }
    }
    if (!reply) return { [status]: { description: 'Done; the response is empty.' } }
    const { description = 'Done.', ...schema } = schemas.of(reply, 'output')
    const example = name in input.answers ? { example: input.answers[name] } : {}
    return { [status]: { description, content: { [json]: { schema, ...example } } } }
  }

  const tags = [...input.chapters, unsorted].filter((chapter) => used.has(chapter))
  const { document, schemas: named } = schemas.settle({ paths, responses: responses.all() })
  return {
    openapi: '3.1.1',
    info: { title: 'Pulse', version: '0', ...introduction },
    servers: [{ url: '/' }],
    tags: tags.map(({ tag, description }) => ({ name: tag, description })),
    paths: document['paths'] as OpenApi['paths'],
    components: {
      schemas: named,
      responses: document['responses'] as Record<string, JsonSchema>,
      securitySchemes,
    },
  }
}

const introduction = {
  summary: 'Monitors Proxmox VE, Proxmox Backup Server, Proxmox Mail Gateway and container hosts.',
  description: [
    'Every call accepts and returns JSON unless it says otherwise. A call refuses unknown fields, so that typing errors show; an',
    'answer may have fields that are not listed here. Live changes are sent on the WebSocket `/ws`, which this document does not',
    'describe.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
}

const bytes = (count: number) => (count >= 1024 * 1024 ? `${count / 1024 / 1024} MiB` : `${count / 1024} KiB`)

/** Error responses, shared by all calls with the same codes. */
function refusalResponses({ meaningOf }: DocumentInput, body: JsonSchema) {
  const made = new Map<string, JsonSchema>()

  function make(status: number, codes: readonly ErrorCode[]): JsonSchema {
    const retry = status === 429 || status === 503
    const examples = codes.map((code) => [code, { value: exampleRefusal(code, meaningOf(code)) }] as const)
    return {
      description: codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`).join('\n'),
      ...(retry
        ? { headers: { 'Retry-After': { description: 'seconds to wait', schema: { type: 'string' } } } }
        : {}),
      content: {
        [json]: {
          schema: {
            allOf: [
              body,
              { type: 'object', properties: { code: { enum: codes }, status_code: { const: status } } },
            ],
          },
          examples: Object.fromEntries(examples),
        },
      },
    }
  }

  return {
    for(status: number, codes: readonly ErrorCode[]): JsonSchema {
      const name = `${status}-${codes.join('-')}`
      if (!made.has(name)) made.set(name, make(status, codes))
      return { $ref: `#/components/responses/${name}` }
    },
    all: () => Object.fromEntries([...made].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const exampleRefusal = (code: ErrorCode, meaning: string) => ({
  error: meaning,
  code,
  status_code: statusOf[code],
  timestamp: 1_790_000_000,
  request_id: '3f0c9a52-6a0e-4f0e-9a53-0e2d6f2f7f0b',
})
