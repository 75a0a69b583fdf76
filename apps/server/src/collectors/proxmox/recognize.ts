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

/** Throws when another product answers, before it gets to see a password that is not meant for it. */
export async function refuseOthers(
  host: HttpsHost,
  label: string,
  wanted: Product,
  signal: AbortSignal,
): Promise<void> {
  const found = await recognize(host, signal)
  // An unknown page may be that of a proxy in between: the calls will tell.
  if (!found || found === wanted) return
  throw new SourceError(
    'unsupported',
    `${label} is a ${found.title}, not a ${wanted.title}; add it as ${found.kind.toUpperCase()} or correct address and port`,
  )
}
