import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

/** Semantic Versioning 2, with or without a leading `v`. The library would also take white space around it. */
const read = (text: string) => (/\s/.test(text) ? null : parse(text))

/** Without the leading `v` and the build metadata; undefined for a text that is no version. */
export const plainVersion = (text: string): string | undefined => read(text)?.version

/** Negative when the first is older. Throws on a text that is no version. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [read(a), read(b)]
  if (!first || !second) throw new Error(`"${first ? b : a}" is not a version`)
  return compare(first, second)
}

/** False also when one of the texts, such as `dev`, is no version. */
export const isNewer = (version: string, than: string): boolean =>
  read(version) !== null && read(than) !== null && compareVersions(version, than) > 0

export const isPrerelease = (version: string): boolean => (read(version)?.prerelease.length ?? 0) > 0

/** Updates across a major version are not installed unattended. */
export const majorOf = (version: string): number | undefined => read(version)?.major
