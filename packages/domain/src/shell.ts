type Value = string | number | boolean

/** A single-quoted shell literal. A NUL byte cannot be passed to a program. */
export function quote(value: Value): string {
  const text = String(value)
  if (text.includes('\0')) throw new TypeError('a shell cannot hold a NUL')
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command line of these words; quoted only where necessary. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_./=-]+$/.test(word) ? word : quote(word))).join(' ')
