import * as z from 'zod/mini'

/** Without control characters and marks that turn the text around: a name shows as what it is. */
const plainName = z.regex(
  /^[^\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/u,
  'A name cannot contain control characters or direction marks',
)
export const UserName = z.string().check(z.trim(), z.minLength(1), z.maxLength(128), plainName)
export const TokenName = z.string().check(z.trim(), z.maxLength(128), plainName)
