import type { HttpsHost } from '../https.ts'
import { SourceError } from '../source-error.ts'
import { products, type Product } from './product.ts'

const limits = { headersMs: 8_000, totalMs: 9_000, maxBytes: 1024 * 1024 }

/** The product at an address, from the title of its start page: that takes no login and leaves no trace of a failed one. */
export async function recognize(host: HttpsHost, signal: AbortSignal): Promise<Product | undefined> {
  const { status, body } = await host.send({ path: '/', headers: {}, ...limits, signal })
  const title = /<title>([^<]{0,300})<\/title>/i.exec(body.toString())?.[1]?.trim()
  if (status !== 200 || title === undefined) return undefined
  return Object.values(products).find((product) => title.endsWith(product.title))
}

export const otherProduct = (label: string, found: Product, wanted: Product): SourceError =>
  new SourceError(
    'unsupported',
    `${label} is a ${found.title}, not a ${wanted.title}; add it as ${found.kind.toUpperCase()} or correct address and port`,
  )

/**
 * What answers does not show itself as a Proxmox server. Nothing it said is repeated, nor how it said no: whoever may
 * test connections must not read with our eyes what else is in this network.
 */
export const unknownProduct = (label: string, wanted: Product): SourceError =>
  new SourceError(
    'bad_answer',
    `${label}: what answers there does not show itself as ${wanted.title}; check address and port, and any proxy in between`,
  )
