import type { NodeTest } from '@pulse/contract'
import type { Clock, Connection } from '@pulse/domain'
import { readFingerprint, shownFingerprint, trustOf } from '../certificate.ts'
import { openHttps, type HttpsHost } from '../https.ts'
import type { TestEdges } from '../source.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { callApi } from './call.ts'
import type { Product } from './product.ts'
import { otherProduct, recognize, unknownProduct } from './recognize.ts'
import { openSession } from './session.ts'

const wholeMs = 10_000
const limits = { headersMs: 8_000, totalMs: 9_000, maxBytes: 4 * 1024 * 1024 }

/** Returns the data of one call. */
export type Ask = (path: string) => Promise<unknown>

/** Tests a connection before it is saved. Never throws: a failure is a result. */
export async function testConnection(
  connection: Connection,
  { clock, log, signal: wanted }: TestEdges,
  product: Product,
  examine: (ask: Ask) => Promise<NodeTest>,
): Promise<NodeTest> {
  const label = new URL(connection.host).host
  const host = openHttps(connection.host, label, trustOf(connection), clock)
  const late = new AbortController()
  const cancel = clock.after(wholeMs, () => late.abort())
  const signal = wanted ? AbortSignal.any([late.signal, wanted]) : late.signal
  let found: Product | undefined
  try {
    found = await recognize(host, signal)
    // Checked before the password is sent. An unknown page may be a proxy's, so the calls decide then.
    if (found && found !== product) throw otherProduct(label, found, product)
    const headers = await openSession(connection.auth, product, clock, () => {}).headers(host, label)
    const result = await examine((path) => callApi(host, label, { path, headers, limits, signal }))
    const name = result.name ?? host.certifiedName
    return { ...result, ...(name !== undefined && { name }), ...shown(host.fingerprint) }
  } catch (cause) {
    const reason = toSourceError(cause)
    log.info({ instance: connection.name, reason: reason.message }, 'connection test failed')
    const error = found || isOurs(reason) ? reason : unknownProduct(label, product)
    return {
      status: 'error',
      message: adviceFor(error, connection),
      ...(error.isUntrusted && { untrusted: true }),
      ...shown(await certificateOf(host, error, clock)),
    }
  } finally {
    cancel()
    await host.close()
  }
}

/** Returns undefined if the account lacks the right. The rest of the test continues. */
export const unlessRefused = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((cause: unknown) => {
    if (toSourceError(cause).isRefusal) return undefined
    throw cause
  })

/** Runs a call and measures it in whole milliseconds, at least 1. */
export async function timed<T>(clock: Clock, call: () => Promise<T>): Promise<{ value: T; latency: number }> {
  const askedAt = clock.monotonic()
  const value = await call()
  return { value, latency: Math.max(1, Math.round(clock.monotonic() - askedAt)) }
}

/** The failure happened below HTTP, or no answer came. */
const isOurs = ({ code, isPathFault }: SourceError) => isPathFault || code === 'timeout'

/** If the system's CAs rejected the certificate, it is read without verification. */
const certificateOf = (host: HttpsHost, error: SourceError, clock: Clock) =>
  error.code === 'tls' && host.fingerprint === undefined
    ? readFingerprint(new URL(host.url), clock, 3_000)
    : host.fingerprint

/** Trusted or not, so that an administrator can compare and accept it. */
const shown = (fingerprint: string | undefined): Pick<NodeTest, 'fingerprint'> =>
  fingerprint === undefined ? {} : { fingerprint: shownFingerprint(fingerprint) }

function adviceFor(error: SourceError, { auth }: Connection): string {
  if (error.code !== 'unauthorized' || /two-factor/.test(error.message)) return error.message
  return auth.type === 'token'
    ? 'Authentication failed: check token ID and secret'
    : 'Authentication failed: check user name, realm and password'
}
