import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCode = 0x10ffff - surrogates.count

/** One character, and its number without the surrogates; the way back keeps the names that are traps, as `__proto__`. */
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

/** Text of any code points. For `unit: 'binary'` fast-check first makes a table of all 1.1 million, in every process. */
export const anyText = (length: { minLength?: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.string({ ...length, unit: anyCharacter })
