interface Version {
  numbers: readonly number[]
  /** of what comes before the release itself: rc, 1 */
  before: readonly string[]
}

/** `1.2.3`, `v1.2.3-rc.1`; undefined for anything else. What stands behind a plus orders nothing. */
function parse(text: string): Version | undefined {
  const [, numbers, before] =
    /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/.exec(text) ?? []
  if (!numbers) return undefined
  return { numbers: numbers.split('.').map(Number), before: before?.split('.') ?? [] }
}

/** As people and links write it, without the leading v; undefined when it is no version. */
export const plainVersion = (text: string): string | undefined =>
  parse(text) && text.replace(/^v/, '').split('+')[0]

/** Below 0 when the first is the older one. Throws on what is no version: an order with such has no meaning. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)]
  if (!one || !other) throw new Error(`"${one ? b : a}" is no version`)
  const at = one.numbers.findIndex((number, i) => number !== other.numbers[i])
  if (at >= 0) return one.numbers[at]! - other.numbers[at]!
  return compareBefore(one.before, other.before)
}

export const isNewer = (version: string, than: string): boolean => compareVersions(version, than) > 0

export const isPrerelease = (version: string): boolean => (parse(version)?.before.length ?? 0) > 0

/** The first number: between two of them people look before they go. */
export const majorOf = (version: string): number | undefined => parse(version)?.numbers[0]

/** Of a commit between releases, or with changes of somebody's own. */
export const isDescribed = (version: string): boolean => /-\d+-g[0-9a-f]{4,40}(-|$)|dirty/.test(version)

/** As Semantic Versioning 2 orders them: the release comes after everything before it, numbers before words. */
function compareBefore(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (const [i, part] of one.entries()) {
    const against = other[i]
    if (against === undefined) return 1
    if (part === against) continue
    const [a, b] = [part, against].map((text) => (/^\d+$/.test(text) ? Number(text) : undefined))
    if (a !== undefined && b !== undefined && a !== b) return a - b
    if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1
    return part < against ? -1 : 1
  }
  return one.length - other.length
}
