import { type Endpoint, endpoint } from '@pulse/contract'
import type { Chapter } from '@pulse/contract/reference'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openApiDocument } from './document.ts'
import { createSchemas } from './schemas.ts'

const nothing = { nameOf: new Map(), commentOf: new Map() }
const reply = { id: 'a1', legs: 4 }
const documentOf = (calls: Record<string, Endpoint>, chapters: readonly Chapter[] = []) =>
  openApiDocument({
    ...nothing,
    calls,
    chapters,
    callCommentOf: new Map(),
    answers: { putAnimal: reply },
    meaningOf: (code) => code,
  })

const Animal = z.object({ id: z.string(), legs: z.number().check(z.int(), z.minimum(0)) })
const putAnimal = endpoint({
  method: 'PUT',
  path: '/api/zoo/:id/animals',
  access: 'admin',
  scope: 'settings:write',
  rate: 'config',
  audit: 'settings_changed',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ loud: z.optional(z.enum(['true', 'false'])), limit: z.coerce.number() }),
  body: z.strictObject({ legs: z.optional(z.number()) }),
  bodyLimit: 64 * 1024,
  reply: Animal,
  status: 201,
})
const about = {
  summary: 'Change an animal',
  errors: ['not_found', 'conflict'] as const,
  params: { id: 'berlin' },
  query: { loud: 'true', limit: 3 },
  body: { legs: 4 },
}

describe('a call without a chapter', () => {
  const zoo = { tag: 'Zoo', description: 'Animals.', calls: { putAnimal: about } }
  const { paths, tags } = documentOf({ putAnimal }, [zoo])
  const operation = paths['/api/zoo/{id}/animals']!['put']!

  test('is described from its declaration alone', () => {
    expect(operation).toMatchObject({
      operationId: 'putAnimal',
      tags: ['Zoo'],
      summary: 'Change an animal',
      description: 'For administrators. An API token needs the scope `settings:write`.',
      security: [
        { apiToken: ['settings:write'] },
        { bearer: ['settings:write'] },
        { basic: [] },
        { session: [], csrf: [] },
      ],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'berlin' },
        { name: 'loud', in: 'query', required: false, schema: { enum: ['true', 'false'] }, example: 'true' },
        { name: 'limit', in: 'query', required: true, schema: { type: 'number' }, example: 3 },
      ],
      requestBody: {
        description: 'At most 64 KiB.',
        required: true,
        content: { 'application/json': { schema: { additionalProperties: false }, example: { legs: 4 } } },
      },
    })
    expect(tags).toEqual([{ name: 'Zoo', description: 'Animals.' }])
  })

  test('has its answer and every error of its declaration and chapter', () => {
    const responses = operation['responses'] as Record<string, { $ref?: string; content?: object }>
    expect(Object.keys(responses)).toEqual(
      '201 400 401 403 404 408 409 413 415 429 431 500 503 507'.split(' '),
    )
    expect(responses['201']).toMatchObject({ content: { 'application/json': { example: reply } } })
    expect(responses['404']).toEqual({ $ref: '#/components/responses/404-not_found' })
    expect(responses['409']).toEqual({ $ref: '#/components/responses/409-conflict' })
  })

  test('is listed without a chapter too', () => {
    const { paths: bare, tags: others } = documentOf({ putAnimal })
    expect(bare['/api/zoo/{id}/animals']!['put']).toMatchObject({
      summary: 'putAnimal',
      tags: ['Other calls'],
    })
    expect(others).toMatchObject([{ name: 'Other calls' }])
  })

  test('has fewer errors when it is public, reads only and has no limit', () => {
    const getAnimal = endpoint({
      method: 'GET',
      path: '/api/zoo',
      access: 'public',
      rate: 'exempt',
      reply: Animal,
    })
    const read = documentOf({ getAnimal }).paths['/api/zoo']!['get']!
    expect(read['security']).toEqual([])
    expect(Object.keys(read['responses'] as object)).toEqual('200 400 408 431 500 503'.split(' '))
  })
})

describe('schemas', () => {
  const input = (schema: z.ZodMiniType) => createSchemas(nothing).of(schema, 'input')

  test('a preprocessed value is described by its result', () => {
    const changed = z.pipe(
      z.transform((value) => value),
      z.strictObject({ a: z.optional(z.boolean()) }),
    )
    expect(input(changed)).toEqual({
      type: 'object',
      properties: { a: { type: 'boolean' } },
      additionalProperties: false,
    })
  })

  test('a refinement is described by its error text, beside the comment of the field', () => {
    const field = z.number().check(
      z.int(),
      z.refine((value) => value !== 7, 'Not seven.'),
    )
    const commentOf = new Map<z.ZodMiniType, string>([[field, 'how many']])
    expect(createSchemas({ ...nothing, commentOf }).of(field, 'input')).toEqual({
      type: 'integer',
      description: 'how many\nNot seven.',
    })
  })

  test('the build fails where JSON Schema has no equivalent: flags of an expression, refinements without text, dates', () => {
    expect(() => input(z.string().check(z.regex(/^a$/i)))).toThrow(
      'JSON Schema has no flags: write /^a$/i without them',
    )
    expect(() => input(z.date())).toThrow('Date cannot be represented')
    expect(() => input(z.pipe(z.string(), z.transform(Number)))).not.toThrow()
    expect(() => createSchemas(nothing).of(z.pipe(z.string(), z.transform(Number)), 'output')).toThrow(
      'Transforms',
    )
  })

  test('a named schema appears once, and twice when input and output differ', () => {
    const Strict = z.strictObject({ a: z.string() })
    const Loose = z.object({ b: z.string() })
    const schemas = createSchemas({
      ...nothing,
      nameOf: new Map<z.ZodMiniType, string>([
        [Strict, 'Strict'],
        [Loose, 'Loose'],
      ]),
    })
    const both = z.object({ one: Strict, two: Loose })
    const { document, schemas: named } = schemas.settle({
      taken: schemas.of(both, 'input'),
      sent: schemas.of(both, 'output'),
    })
    expect(Object.keys(named)).toEqual(['Loose', 'Strict', 'StrictAsSent'])
    expect(named['StrictAsSent']).toMatchObject({ additionalProperties: false })
    expect(named['Strict']).not.toHaveProperty('additionalProperties')
    expect(document).toMatchObject({
      taken: { properties: { one: { $ref: '#/components/schemas/StrictAsSent' } } },
      sent: { properties: { one: { $ref: '#/components/schemas/Strict' } } },
    })
  })
})
