/** Ports of the web interfaces. */
export const defaultPort = { pve: 8006, pbs: 8007, pmg: 8006 } as const

/** Links come from settings and from guests: only the web's own schemes become one. */
export function safeUrl(text: string | undefined): string | undefined {
  const url = text ? parse(text.trim()) : undefined
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

/** Address of a web interface: the configured host, else the name; the default port where none is written. */
export function webUrl(
  host: string | undefined,
  fallbackName: string,
  kind: keyof typeof defaultPort,
): string | undefined {
  const text = host?.trim() || fallbackName.trim()
  if (!text) return undefined
  const known = made[kind]
  if (known.has(text)) return known.get(text)
  if (known.size >= mostMade) known.clear()
  const url = makeWebUrl(text, kind)
  known.set(text, url)
  return url
}

/** A place in the web interface of Proxmox VE: its address remembers what is chosen in the tree. */
export const pveUrl = (web: string | undefined, place: string): string | undefined =>
  web && `${web}#v1:0:=${encodeURIComponent(place)}`

/** Reading an address costs more than the rest of a line, and every update asks for the same ones. */
const made: Record<keyof typeof defaultPort, Map<string, string | undefined>> = {
  pve: new Map(),
  pbs: new Map(),
  pmg: new Map(),
}
const mostMade = 1_000

function makeWebUrl(text: string, kind: keyof typeof defaultPort): string | undefined {
  const url = parse(text.includes('://') ? text : `https://${text}`)
  if (!url || !safeUrl(url.href)) return undefined
  if (!hasPort(text)) url.port = String(defaultPort[kind])
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href
}

/** A written port counts even when it is the scheme's own, which URL drops. */
function hasPort(text: string): boolean {
  const authority = text.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/)[0] ?? ''
  return /:\d+$/.test(authority)
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
