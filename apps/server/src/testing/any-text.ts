import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCode = 0x10ffff - surrogates.count

/**
 * Maps a number without surrogates to a character. The inverse mapping keeps tricky names such as
 * `__proto__`.
 */
const character = (last: number) =>
  fc.nat(last).map(
    (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
    (text) => {
      const code = String(text).codePointAt(0) ?? surrogates.first
      if (String.fromCodePoint(code) !== text || !text.isWellFormed()) throw new Error('not one character')
      return code < surrogates.first ? code : code - surrogates.count
    },
  )

const anyCharacter = fc.oneof(
  { weight: 6, arbitrary: character(lastCode) },
  { weight: 1, arbitrary: character(0x7f) },
)

/**
 * Text of any code points. With `unit: 'binary'`, fast-check would first build a table of all 1.1 million
 * code points in every process.
 */
export const anyText = (length: { minLength?: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.string({ ...length, unit: anyCharacter })
