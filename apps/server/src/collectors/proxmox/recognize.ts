import type { HttpsAnswer, HttpsHost, HttpsRequest } from '../https.ts'
import { SourceError } from '../source-error.ts'
import { products, type Product } from './product.ts'

const limits = { headersMs: 8_000, totalMs: 9_000, maxBytes: 1024 * 1024 }

/** The product at an address, by the title of its start page. This leaves no failed sign-in in its log. */
export async function recognize(
  host: HttpsHost,
  signal?: AbortSignal,
  within: Omit<HttpsRequest, 'path' | 'headers'> = limits,
): Promise<Product | undefined> {
  const { status, body } = await host.send({ path: '/', headers: {}, ...within, ...(signal && { signal }) })
  const title = /<title>([^<]{0,300})<\/title>/i.exec(body.toString())?.[1]?.trim()
  if (status !== 200 || title === undefined) return undefined
  return Object.values(products).find((product) => title.endsWith(product.title))
}

/** After this many unquoted answers, the start page of a host is read again. */
const askAgainAfter = 30
const frontLimits = { waitMs: 5_000, headersMs: 5_000, totalMs: 6_000, maxBytes: 1024 * 1024 }

interface Front {
  /** the host's certificate at that time; another certificate means another host, which is checked again */
  fingerprint: string | undefined
  isProxmox: Promise<boolean>
  unquoted: number
}
const fronts = new WeakMap<HttpsHost, Front>()

/**
 * Whether Pulse may repeat the text of an answer. It repeats only texts of Proxmox products, or users could
 * read other servers of this network through Pulse. PVE and PMG name themselves in every answer. PBS, and any
 * product behind a proxy, is recognized by its start page.
 */
export async function mayQuote(
  host: HttpsHost,
  { serverName }: HttpsAnswer,
  signal?: AbortSignal,
): Promise<boolean> {
  if (serverName.startsWith('pve-api-daemon/')) return true
  const known = fronts.get(host)
  if (known && known.fingerprint === host.fingerprint && known.unquoted < askAgainAfter) {
    const isProxmox = await known.isProxmox
    if (!isProxmox) known.unquoted++
    return isProxmox
  }
  const isProxmox = recognize(host, signal, frontLimits).then(
    (product) => product !== undefined,
    () => {
      if (signal?.aborted) fronts.delete(host)
      return false
    },
  )
  fronts.set(host, { fingerprint: host.fingerprint, isProxmox, unquoted: 0 })
  return isProxmox
}

export const otherProduct = (label: string, found: Product, wanted: Product): SourceError =>
  new SourceError(
    'unsupported',
    `${label} is a ${found.title}, not a ${wanted.title}; add it as ${found.kind.toUpperCase()} or correct address and port`,
  )

/**
 * The server did not identify itself as Proxmox. Neither its text nor its status is repeated: a user who may
 * test connections must not explore this network through Pulse.
 */
export const unknownProduct = (label: string, wanted: Product): SourceError =>
  new SourceError(
    'bad_answer',
    `${label}: the server is not recognized as ${wanted.title}; check address and port, and any proxy in between`,
  )
