/** The answer of `/version`, the same in every product. */
export const versionOf = ({
  version,
  release,
  repoid,
}: Record<'version' | 'release' | 'repoid', string>) => ({
  version,
  release,
  repoid,
})
