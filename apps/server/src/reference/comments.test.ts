import { expect, test } from 'vitest'
import { withComments } from './comments.ts'

const given = `
/** About it. */
export const It = z.object({
  /** s */
  age: z.number(),
  // not for readers
  size: z.number(),
  /**
   * Over
   * two lines
   * - and a list
   */
  id,
  plain: z.object({ /** below */ deep: z.string() }),
})
/** A type has none. */
export type It = z.infer<typeof It>
`

test('a comment belongs to the field or export that follows it', () => {
  expect(withComments('it.ts', given, 'tell')).toBe(`
/** About it. */
export const It = tell(z.object({
  /** s */
  age: tell(z.number(), "s"),
  // not for readers
  size: z.number(),
  /**
   * Over
   * two lines
   * - and a list
   */
  id: tell(id, "Over two lines\\n- and a list"),
  plain: z.object({ /** below */ deep: tell(z.string(), "below") }),
}), "About it.")
/** A type has none. */
export type It = z.infer<typeof It>
`)
})
