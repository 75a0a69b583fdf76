import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { validationText } from './validation-text.ts'

const cases: [what: string, schema: z.ZodMiniType, value: unknown, text: string][] = [
  ['nothing', z.string(), undefined, 'This field is required.'],
  ['a list for text', z.string(), [], 'Must be text.'],
  ['text for a number', z.number(), 'x', 'Must be a number.'],
  ['a fraction', z.int(), 1.5, 'Must be a whole number.'],
  ['text for a switch', z.boolean(), 'yes', 'Must be true or false.'],
  ['text for a list', z.array(z.string()), 'x', 'Must be a list.'],
  ['a list for an object', z.object({}), [], 'Must be an object.'],
  ['too low', z.number().check(z.gte(5)), 1, 'Must be at least 5.'],
  ['too high', z.number().check(z.lt(5)), 5, 'Must be less than 5.'],
  ['empty text', z.string().check(z.minLength(1)), '', 'Must not be empty.'],
  ['short text', z.string().check(z.minLength(12)), 'x', 'Must have at least 12 characters.'],
  ['long text', z.string().check(z.maxLength(1)), 'xx', 'Must have at most 1 character.'],
  ['a long list', z.array(z.number()).check(z.maxLength(2)), [1, 2, 3], 'Must have at most 2 entries.'],
  ['another word', z.enum(['dark', 'light']), 'blue', 'Must be one of "dark", "light".'],
  ['another literal', z.literal('pve'), 'x', 'Must be "pve".'],
  ['no address', z.url(), 'x', 'Must be a web address.'],
  ['no mail address', z.email(), 'x', 'Must be an email address.'],
  ['an odd form', z.string().check(z.regex(/^a$/)), 'x', 'Must be in the documented format.'],
  ['none of several', z.union([z.string(), z.number()]), [], 'Must have one of the documented forms.'],
  ['a field too many', z.strictObject({}), { a: 1, b: 2 }, 'There is no field "a", "b".'],
]

test.each(cases)('%s', (_what, schema, value, text) => {
  const { error } = schema.safeParse(value, { error: validationText })
  expect(error?.issues[0]!.message).toBe(text)
})

test('a text of the schema itself comes first', () => {
  const schema = z.string().check(z.regex(/^a$/, 'Only a is allowed'))
  const { error } = schema.safeParse('b', { error: validationText })
  expect(error?.issues[0]!.message).toBe('Only a is allowed')
})
