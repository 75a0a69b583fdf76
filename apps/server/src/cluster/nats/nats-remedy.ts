import { errors } from '@nats-io/transport-node'

/** Codes of Node. */
const remedies: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of a server has to name its host as PULSE_NATS_URL does. Change one of them.',
  CERT_HAS_EXPIRED: 'Give the servers a new certificate.',
  CERT_NOT_YET_VALID: 'Check the clocks of this machine and of the servers.',
  ...Object.fromEntries(
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_SIGNATURE_FAILURE',
    ].map((code) => [
      code,
      'PULSE_NATS_CA_FILE has to name a PEM file with the authority that signed the certificates of the servers.',
    ]),
  ),
}

/** What an administrator does about it. */
export function natsRemedy(error: Error & { code?: unknown }): string {
  const known = remedies[String(error.code)]
  if (known !== undefined) return known
  if (error instanceof errors.AuthorizationError)
    return 'Check PULSE_NATS_CREDENTIALS_FILE, or PULSE_NATS_USER and PULSE_NATS_PASSWORD_FILE, and the users in the configuration of the servers.'
  return 'Check that the servers run, and the addresses in PULSE_NATS_URL: tls:// for servers with certificates, nats:// for others.'
}
