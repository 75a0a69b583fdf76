import { plainName } from './addresses.ts'

/**
 * Whether an administrator allowed the host. Entries are `host` or `host:port`, with IPv6 addresses in
 * brackets.
 */
export function isAllowed(entries: readonly string[], host: string, port: number): boolean {
  const wanted = inUrlForm(host)
  return entries.some((entry) => {
    const [name, ownPort] = parts(entry)
    return wanted !== undefined && inUrlForm(name) === wanted && (!ownPort || Number(ownPort) === port)
  })
}

/** Maximum length of a resolvable name. Letters of other scripts become several characters. */
const longestName = 253

/** The entry in its interpreted form, for administrators to check; unchanged if it names no host. */
export function plainEntry(entry: string): string {
  const [name, port] = parts(entry)
  const host = inUrlForm(name)
  return host === undefined || host.length > longestName ? entry : host + (port ? `:${port}` : '')
}

/** The URL with its host in the form that is dialled. The rest may contain placeholders and is unchanged. */
export function withPlainHost(url: string): string {
  const host = URL.parse(url)?.host
  const authority = /^([a-z]{1,20}:\/\/)([^/?#]*@)?[^/?#]*/i
  return host ? url.replace(authority, (_all, scheme: string, user = '') => scheme + user + host) : url
}

function parts(entry: string): [name: string, port: string | undefined] {
  const [, name = entry, port] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
  return [name, port]
}

/** The form in a URL: 127.1 becomes 127.0.0.1, and upper case becomes lower case. */
function inUrlForm(host: string): string | undefined {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const hostname = URL.parse(`http://${bracketed}`)?.hostname
  return hostname && plainName(hostname)
}
