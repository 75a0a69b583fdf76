import { expect, test } from 'vitest'
import { FingerprintError } from './certificate.ts'
import { connectionError } from './connection-error.ts'
import { SourceError } from './source-error.ts'

const failure = (code: string) => Object.assign(new Error('text with a secret header'), { code })

test.each([
  ['ENOTFOUND', 'unreachable', /could not be resolved/],
  ['EAI_AGAIN', 'unreachable', /name server unavailable/],
  ['ECONNREFUSED', 'unreachable', /connection refused/],
  ['EHOSTUNREACH', 'unreachable', /no route/],
  ['ETIMEDOUT', 'unreachable', /did not accept a connection in time/],
  ['ECONNRESET', 'unreachable', /closed the connection/],
  ['EPIPE', 'unreachable', /closed the connection/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', /self-signed; enter its fingerprint/],
  ['CERT_HAS_EXPIRED', 'tls', /expired/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /another host name/],
  ['EPROTO', 'tls', /does this port speak HTTPS/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls', /no secure connection \(ERR_SSL_UNSUPPORTED_PROTOCOL\)/],
  ['HPE_INVALID_CONSTANT', 'bad_answer', /valid HTTP/],
  ['HPE_HEADER_OVERFLOW', 'bad_answer', /valid HTTP/],
  ['ESOMETHING', 'unreachable', /connection failed \(ESOMETHING\)/],
])('%s is %s, and says what to do without quoting foreign texts', (code, expected, message) => {
  const error = connectionError('pve1', failure(code))
  expect(error.code).toBe(expected)
  expect(error.message).toMatch(message)
  expect(error.message).toMatch(/^pve1: /)
  expect(error.message).not.toContain('secret')
})

test('only network and certificate faults count against an address', () => {
  const counts = (code: ConstructorParameters<typeof SourceError>[0]) => new SourceError(code, '').isPathFault
  expect(['unreachable', 'tls', 'fingerprint'].every((code) => counts(code as 'tls'))).toBe(true)
  for (const code of [
    'timeout',
    'unauthorized',
    'forbidden',
    'node_offline',
    'server',
    'bad_answer',
  ] as const) {
    expect(counts(code), code).toBe(false)
  }
})

test('a reset is marked as worth another try; of the errors of several addresses the first is reported', () => {
  expect(connectionError('pve1', failure('ECONNRESET')).reset).toBe(true)
  expect(connectionError('pve1', failure('ECONNREFUSED')).reset).toBe(false)
  const both = new AggregateError([failure('ECONNREFUSED'), failure('ENETUNREACH')])
  expect(connectionError('pve1', both).message).toMatch(/refused/)
})

test('[S18] a mismatch shows both fingerprints as Proxmox writes them', () => {
  const error = connectionError('pve1', new FingerprintError('ab12', 'cd34'))
  expect(error).toMatchObject({
    code: 'fingerprint',
    message:
      'pve1: certificate fingerprint does not match: expected AB:12, got CD:34; ' +
      'update the fingerprint if the certificate was renewed on purpose',
  })
})
