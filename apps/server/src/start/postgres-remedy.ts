import type { PostgresSettings } from '../db/postgres-settings.ts'

// PostgreSQL 15, appendix A
const wrongPassword = '28P01'
const notAllowed = '28000'
// Node 26, "TLS error codes"
const otherHost = 'ERR_TLS_CERT_ALTNAME_INVALID'
const certificates = ['UNABLE_TO_', 'SELF_SIGNED_', 'DEPTH_ZERO_', 'CERT_', 'INVALID_CA', 'ERR_TLS_CERT_']
// The driver (pg 8) has no codes for these.
const withoutTls = 'The server does not support SSL connections'
const withoutPassword = /client password must be/

/** What an administrator can do about a connection that failed. Names the variable. */
export function remedyFor(error: unknown, { ssl }: Pick<PostgresSettings, 'ssl'>): string {
  const { code, message } = deepest(error)
  if (code === otherHost)
    return "Name the host in PULSE_DATABASE_URL as the server's certificate does, or add ?sslmode=verify-ca to accept one for any host."
  if (code === 'CERT_HAS_EXPIRED')
    return 'Renew the certificate of the PostgreSQL server, or that of its authority if it has expired.'
  if (code === 'CERT_NOT_YET_VALID') return 'Check the clocks of this machine and of the PostgreSQL server.'
  if (certificates.some((start) => code.startsWith(start)))
    return "Set PULSE_DATABASE_CA_FILE to a PEM file with the authority of the server's certificate, then start Pulse again."
  if (message === withoutTls)
    return 'Switch TLS on at the server, or add ?sslmode=disable to PULSE_DATABASE_URL if the network between them is safe.'
  if (withoutPassword.test(message))
    return 'The server wants a password: write it into the file that PULSE_DATABASE_PASSWORD_FILE names.'
  if (code === wrongPassword)
    return 'Check the user in PULSE_DATABASE_URL, and the password in the file that PULSE_DATABASE_PASSWORD_FILE names.'
  if (code === notAllowed && ssl === false)
    return 'Check pg_hba.conf of the server. If it requires encrypted connections, add ?sslmode=verify-full to PULSE_DATABASE_URL.'
  return 'Check that the PostgreSQL server runs, and the host, user and password of PULSE_DATABASE_URL, then start Pulse again.'
}

interface Failed {
  code: string
  message: string
}

/** The error of the driver. */
function deepest(error: unknown): Failed {
  if (error instanceof Error && error.cause !== undefined) return deepest(error.cause)
  const { code, message } = (error ?? {}) as Partial<Record<keyof Failed, unknown>>
  return { code: String(code ?? ''), message: String(message ?? '') }
}
