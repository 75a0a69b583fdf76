/** A version by `git describe`: of a commit between releases, or of a changed working tree. Browsers ask too, so it stands apart from semver. */
export const isDescribed = (version: string): boolean => /-\d+-g[0-9a-f]{4,40}(-|$)|dirty/.test(version)
