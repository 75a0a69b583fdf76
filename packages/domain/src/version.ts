import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

/**
 * Semantic Versioning 2, with an optional leading `v`. The library would also accept surrounding white space.
 */
const read = (text: string) => (/\s/.test(text) ? null : parse(text))

/** Without a leading `v` and build metadata. Undefined for an invalid version. */
export const plainVersion = (text: string): string | undefined => read(text)?.version

/** Negative if the first is older. Throws on an invalid version. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [read(a), read(b)]
  if (!first || !second) throw new Error(`"${first ? b : a}" is not a version`)
  return compare(first, second)
}

/** Also false if one of the texts, such as `dev`, is not a version. */
export const isNewer = (version: string, than: string): boolean =>
  read(version) !== null && read(than) !== null && compareVersions(version, than) > 0

export const isPrerelease = (version: string): boolean => (read(version)?.prerelease.length ?? 0) > 0

/** Updates across a major version are not installed unattended. */
export const majorOf = (version: string): number | undefined => read(version)?.major
