/** One per line; blank lines are none. */
export const parsePrefixes = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
