type Value = string | number | boolean

/** A single-quoted literal: to a shell every sign in it is itself. A NUL cannot be passed to any program. */
export function quote(value: Value): string {
  const text = String(value)
  if (text.includes('\0')) throw new TypeError('a shell cannot hold a NUL')
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command line of these words; a word that needs no quotes stays readable. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_./=-]+$/.test(word) ? word : quote(word))).join(' ')
