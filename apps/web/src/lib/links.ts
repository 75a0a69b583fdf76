/** Default ports of the web interfaces. */
export const defaultPort = { pve: 8006, pbs: 8007, pmg: 8006 } as const

/** Addresses come from settings and guests, so only http and https become links. */
export function safeUrl(text: string | undefined): string | undefined {
  const url = text ? parse(text.trim()) : undefined
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

/**
 * Address of a web interface: the configured host, or else the name. Adds the default port if there is none.
 */
export function webUrl(
  host: string | undefined,
  fallbackName: string,
  kind: keyof typeof defaultPort,
): string | undefined {
  const text = host?.trim() || fallbackName.trim()
  if (!text) return undefined
  const known = cache[kind]
  if (known.has(text)) return known.get(text)
  if (known.size >= maxCached) known.clear()
  const url = makeWebUrl(text, kind)
  known.set(text, url)
  return url
}

/** A selected item in the tree of the Proxmox VE web interface. */
export const pveUrl = (web: string | undefined, item: string): string | undefined =>
  web && `${web}#v1:0:=${encodeURIComponent(item)}`

/** Caches addresses, because parsing one costs more than the rest of a row. */
const cache: Record<keyof typeof defaultPort, Map<string, string | undefined>> = {
  pve: new Map(),
  pbs: new Map(),
  pmg: new Map(),
}
const maxCached = 1_000

function makeWebUrl(text: string, kind: keyof typeof defaultPort): string | undefined {
  const url = parse(text.includes('://') ? text : `https://${text}`)
  if (!url || !safeUrl(url.href)) return undefined
  if (!hasPort(text)) url.port = String(defaultPort[kind])
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href
}

/** Detects an explicit port, even the scheme's default, which URL removes. */
function hasPort(text: string): boolean {
  const authority = text.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/)[0] ?? ''
  return /:\d+$/.test(authority)
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
