import { expect, test } from 'vitest'
import { validate } from './fixtures-validate.ts'
import type { Schema } from './fixtures-validate.ts'

const node: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '[a-z]+' },
      cpus: { type: 'integer', minimum: 1, maximum: 8, optional: true },
      online: { type: 'boolean', optional: 1 },
      level: { type: 'string', enum: ['', 'c'], optional: true },
    },
  },
}

test.each([
  { when: 'all is well', value: [{ name: 'pve', cpus: 4, online: 1, level: '' }], expected: [] },
  {
    when: 'numbers and flags are texts, as Perl likes it',
    value: [{ name: 'pve', cpus: '4', online: '0' }],
    expected: [],
  },
  { when: 'there are undocumented fields', value: [{ name: 'pve', more: true }], expected: [] },
  { when: 'something is missing', value: [{}], expected: ['[].name is missing'] },
  {
    when: 'a number is not whole',
    value: [{ name: 'pve', cpus: 1.5 }],
    expected: ['[].cpus is no integer: 1.5'],
  },
  {
    when: 'a number is out of range',
    value: [{ name: 'pve', cpus: 9 }],
    expected: ['[].cpus is above 8: 9'],
  },
  {
    when: 'a flag is true',
    value: [{ name: 'pve', online: true }],
    expected: ['[].online is no boolean: true'],
  },
  {
    when: 'a value is not listed',
    value: [{ name: 'pve', level: 'x' }],
    expected: ['[].level is "x", not one of , c'],
  },
  {
    when: 'a text has another form',
    value: [{ name: 'PVE' }],
    expected: ['[].name does not match [a-z]+: PVE'],
  },
  { when: 'it is no list', value: {}, expected: [' is no array: {}'] },
])('validation when $when', ({ value, expected }) => {
  expect(validate(node, value)).toEqual(expected)
})

test('a closed object accepts no undocumented field', () => {
  expect(validate({ type: 'object', properties: {}, extra: { additionalProperties: 0 } }, { a: 1 })).toEqual([
    '.a is not documented',
  ])
})
