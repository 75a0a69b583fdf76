/** The variable parts of a path, when its segments fit the template's. */
export function parametersIn(
  expected: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index]!
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
