interface Named {
  displayName?: string | undefined
  name?: string | undefined
  host?: string | undefined
  instance?: string | undefined
}

/** displayName, else name, else the bare host, else instance. Skips blank values. */
export function displayName({ displayName, name, host, instance }: Named): string {
  return displayName?.trim() || name?.trim() || bareHost(host) || instance?.trim() || ''
}

/** A host address without scheme, path and port. */
export function bareHost(host: string | undefined): string {
  const rest = (host ?? '')
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/, 1)[0]!
  const bracketed = /^\[([^\]]+)\]/.exec(rest)
  if (bracketed) return bracketed[1]!
  return rest.split(':').length > 2 ? rest : rest.replace(/:\d+$/, '')
}
