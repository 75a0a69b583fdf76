/**
 * A `git describe` version: a commit between releases, or a changed working tree. Separate from semver,
 * because browsers need it too.
 */
export const isDescribed = (version: string): boolean => /-\d+-g[0-9a-f]{4,40}(-|$)|dirty/.test(version)
