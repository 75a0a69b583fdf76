import { FingerprintError, shownFingerprint } from './certificate.ts'
import { SourceError } from './source-error.ts'

const networkTexts: Record<string, string> = {
  ENOTFOUND: 'the host name could not be resolved',
  EAI_AGAIN: 'the host name could not be resolved (name server unavailable)',
  ECONNREFUSED: 'connection refused; check address and port',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to its network',
  EADDRNOTAVAIL: 'no route to the host',
  ETIMEDOUT: 'did not accept a connection in time',
}

const tlsTexts: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed; enter its fingerprint to trust it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate is signed by an unknown authority; enter its fingerprint to trust it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is signed by an unknown authority; enter its fingerprint to trust it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate is signed by an unknown authority; enter its fingerprint to trust it',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet; check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name; enter its fingerprint to trust it',
}

/** The reset of an idle connection looks like a host that hangs up. The caller retries once. */
const resetCodes = ['ECONNRESET', 'EPIPE']

/** Describes a failure below HTTP. Omits the messages of libraries, because they may quote headers. */
export function connectionError(label: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof FingerprintError) {
    return new SourceError(
      'fingerprint',
      `${label}: certificate fingerprint does not match: expected ${shownFingerprint(error.expected)}, ` +
        `got ${shownFingerprint(error.got)}; update the fingerprint if the certificate was renewed on purpose`,
      { cause: error, untrusted: true },
    )
  }
  const code = errorCode(error)
  const network = networkTexts[code]
  if (network) return new SourceError('unreachable', `${label}: ${network}`, { cause: error })
  const tls = tlsTexts[code]
  if (tls) return new SourceError('tls', `${label}: ${tls}`, { cause: error, untrusted: true })
  if (resetCodes.includes(code)) {
    return new SourceError('unreachable', `${label}: closed the connection`, { cause: error, reset: true })
  }
  if (code.startsWith('HPE_')) {
    return new SourceError('bad_answer', `${label}: does not answer with valid HTTP`, { cause: error })
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return new SourceError('tls', `${label}: no secure connection (${code}); does this port speak HTTPS?`, {
      cause: error,
    })
  }
  return new SourceError('unreachable', `${label}: connection failed (${code || 'unknown reason'})`, {
    cause: error,
  })
}

/** Happy Eyeballs wraps one error per attempted address. */
function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0])
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return ''
}
