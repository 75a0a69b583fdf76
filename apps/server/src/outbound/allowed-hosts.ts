import { plainName } from './addresses.ts'

/** Whether an administrator named the host: entries are `host` or `host:port`, addresses of IPv6 in brackets. */
export function isAllowed(entries: readonly string[], host: string, port: number): boolean {
  const wanted = inUrlForm(host)
  return entries.some((entry) => {
    const [name, ownPort] = parts(entry)
    return wanted !== undefined && inUrlForm(name) === wanted && (!ownPort || Number(ownPort) === port)
  })
}

/** Of names that can be resolved; the letters of another script become many. */
const longestName = 253

/** The entry as it is understood, for people to read; as it is where it names no host. */
export function plainEntry(entry: string): string {
  const [name, port] = parts(entry)
  const host = inUrlForm(name)
  return host === undefined || host.length > longestName ? entry : host + (port ? `:${port}` : '')
}

/** The address with its host as it is called. The rest may hold placeholders, and stays. */
export function withPlainHost(url: string): string {
  const host = URL.parse(url)?.host
  const authority = /^([a-z]{1,20}:\/\/)([^/?#]*@)?[^/?#]*/i
  return host ? url.replace(authority, (_all, scheme: string, user = '') => scheme + user + host) : url
}

function parts(entry: string): [name: string, port: string | undefined] {
  const [, name = entry, port] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
  return [name, port]
}

/** As a URL writes it: 127.1 is 127.0.0.1, capitals are small. */
function inUrlForm(host: string): string | undefined {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const hostname = URL.parse(`http://${bracketed}`)?.hostname
  return hostname && plainName(hostname)
}
