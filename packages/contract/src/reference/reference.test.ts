import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { Endpoint } from '../endpoint.ts'
import * as contract from '../index.ts'
import { chapters } from './index.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value
const calls = Object.entries(contract as Record<string, unknown>).filter(
  (entry): entry is [string, Endpoint] => isEndpoint(entry[1]),
)
const described = chapters.flatMap((chapter) => Object.entries(chapter.calls))

test('every call has one chapter, a summary of its own, and no chapter has anything else', () => {
  expect(described.map(([name]) => name).toSorted()).toEqual(calls.map(([name]) => name).toSorted())
  const summaries = described.map(([, { summary }]) => summary)
  expect(summaries.filter((text, index) => summaries.indexOf(text) !== index)).toEqual([])
  for (const text of summaries) expect(text).toMatch(/^[A-Z][^.]{5,80}$/)
})

test('every part of every request has an example that the contract takes as it is, with no field that it does not know', () => {
  const about = new Map(described)
  for (const [name, endpoint] of calls) {
    const { params, query, body } = endpoint
    const examples = about.get(name)!
    const parts = { params, query, body: examples.shape ?? body }
    for (const [part, schema] of Object.entries(parts)) {
      if (!schema) continue
      const example = examples[part as 'body']
      expect(example, `${name}: ${part}`).toBeDefined()
      expect((schema as z.ZodMiniType).parse(example), `${name}: ${part}`).toEqual(example)
    }
  }
})

test('a call says what it answers: JSON of the contract, a file, an address, or nothing', () => {
  for (const [name, { reply, media, status }] of calls)
    expect([reply, media, status === 204 || undefined].filter(Boolean), name).toHaveLength(1)
})

test('what a call may be refused with is said once', () => {
  for (const [name, { errors = [] }] of described) expect([...new Set(errors)], name).toEqual(errors)
})
