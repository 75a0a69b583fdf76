import { plainName } from './addresses.ts'

/** Whether an administrator named the host: entries are `host` or `host:port`, addresses of IPv6 in brackets. */
export function isAllowed(entries: readonly string[], host: string, port: number): boolean {
  const wanted = inUrlForm(host)
  return entries.some((entry) => {
    const [, name = entry, ownPort] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
    return wanted !== undefined && inUrlForm(name) === wanted && (!ownPort || Number(ownPort) === port)
  })
}

/** As a URL writes it: 127.1 is 127.0.0.1, capitals are small. */
function inUrlForm(host: string): string | undefined {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const hostname = URL.parse(`http://${bracketed}`)?.hostname
  return hostname && plainName(hostname)
}
