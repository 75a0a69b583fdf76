import { describe, expect, test } from 'vitest'
import { createExamples } from './example.ts'
import { readSchemas } from './schema.ts'
import { createShapes } from './shape.ts'

const text = { type: 'string' }
const Animal = { type: 'object', properties: { name: text, legs: { type: 'number' } } }
const schemas = readSchemas({ Animal })
const list = { type: 'array', items: { $ref: '#/components/schemas/Animal' } }
const map = { type: 'object', additionalProperties: { $ref: '#/components/schemas/Animal' } }
const differences = createShapes(schemas)

describe('the shape of an example', () => {
  test.each([
    ['is that of the answer, whatever the values', { name: 'a' }, { name: 'b' }, Animal, []],
    ['lacks a field', { name: 'a' }, { name: 'b', legs: 4 }, Animal, ['.legs is missing']],
    ['has one that there is not', { name: 'a', age: 1 }, { name: 'b' }, Animal, ['.age is no field of it']],
    ['has another type', { name: 1 }, { name: 'b' }, Animal, ['.name is string, not number']],
    ['may show texts where there are none just now', ['slow'], [], list, []],
    ['shows an empty list that is not', [], [{ name: 'a' }], list, [' has entries']],
    [
      'may lack what only some entries have',
      [{ name: 'a' }],
      [{ name: 'b' }, { name: 'c', legs: 2 }],
      list,
      [],
    ],
    ['may have other keys in a map', { x: { name: 'a' } }, { y: { name: 'b' } }, map, []],
    [
      'has the values of a map as they are',
      { x: { name: 1 } },
      { y: { name: 'b' } },
      map,
      ['.*.name is string, not number'],
    ],
  ])('%s', (_, example, real, schema, expected) => {
    expect(differences(example, [real], schema)).toEqual(expected)
  })
})

describe('an example made from an answer', () => {
  const startedMs = Date.UTC(2027, 0, 1)
  const exampleOf = createExamples(schemas, {
    startedMs,
    texts: [['http://127.0.0.1:4711', 'https://pulse.example.com']],
    figures: new Map([[4712, 587]]),
  })

  test('has another date and host, without secrets and real ids', () => {
    const uuid = '9b3d4986-8dd0-44d8-95a4-be626d9cce2a'
    const answer = {
      at: '2027-01-01T00:01:00.123Z',
      ms: startedMs,
      s: startedMs / 1000 + 60,
      link: `see http%3A%2F%2F127.0.0.1%3A4711/${uuid} of https://127.31.77.11:8006`,
      id: uuid,
      secret: 'ab'.repeat(32),
      port: 4712,
    }
    expect(exampleOf(answer, undefined)).toEqual({
      at: '2026-09-21T14:14:20.000Z',
      ms: 1_790_000_000_000,
      s: 1_790_000_060,
      link: `see https%3A%2F%2Fpulse.example.com/00000000-0000-4000-8000-000000000001 of https://192.0.2.11:8006`,
      id: '00000000-0000-4000-8000-000000000001',
      secret: expect.not.stringContaining('abab'),
      port: 587,
    })
  })

  test('shows the entry of a list with the most fields, and two of a map', () => {
    expect(exampleOf([{ name: 'a' }, { name: 'b', legs: 2 }], list)).toEqual([{ name: 'b', legs: 2 }])
    expect(Object.keys(exampleOf({ a: {}, b: {}, c: {} }, map) as object)).toEqual(['a', 'b'])
  })
})
