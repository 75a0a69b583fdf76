import { createHash, type X509Certificate } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import { connect } from 'node:tls'
import type { Clock } from '@pulse/domain'

/** The user's setting for the certificate of a connection. */
export function trustOf({ fingerprint, verifySSL }: { fingerprint?: string; verifySSL: boolean }): Trust {
  if (fingerprint) return { by: 'fingerprint', fingerprint }
  return verifySSL ? { by: 'system' } : { by: 'nothing' }
}

/** Authentication of the server: by the SHA-256 of its leaf, by the system's CAs and its name, or none. */
export type Trust = { by: 'fingerprint'; fingerprint: string } | { by: 'system' } | { by: 'nothing' }

/** Lower-case hex without colons, for comparing fingerprints. */
export const normalFingerprint = (text: string): string => text.replace(/[^0-9a-f]/gi, '').toLowerCase()

/** Upper-case pairs with colons, as in Proxmox's own pages. */
export const shownFingerprint = (text: string): string =>
  (normalFingerprint(text).toUpperCase().match(/../g) ?? []).join(':')

export class FingerprintError extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super('certificate fingerprint does not match')
    this.expected = expected
    this.got = got
  }
}

export interface ShownCertificate {
  fingerprint: string
  /** the host name in the certificate, without its domain */
  name: string | undefined
}

/** Fingerprint and host name of the certificate that the server presented. */
export const shownCertificate = (leaf: X509Certificate | undefined): ShownCertificate => ({
  fingerprint: fingerprintOf(leaf),
  name: hostNameOf(leaf),
})

/** A diagnostics channel for calls under way. Costs nothing without a subscriber. */
export const calls = tracingChannel<object, { host: string }>('pulse:call')

/** The certificate that a host presents, trusted or not. Sends only the handshake. */
export function readFingerprint(url: URL, clock: Clock, timeoutMs: number): Promise<string | undefined> {
  const shown = new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: bareHost(url), port: Number(url.port || 443), rejectUnauthorized: false })
    const finish = (fingerprint: string | undefined) => {
      cancel()
      socket.destroy()
      resolve(fingerprint)
    }
    const cancel = clock.after(timeoutMs, () => finish(undefined))
    socket.once('secureConnect', () => finish(fingerprintOf(socket.getPeerX509Certificate())))
    socket.once('error', () => finish(undefined))
  })
  return calls.tracePromise(() => shown, { host: bareHost(url) })
}

/** IPv6 literals have brackets only in URLs. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const fingerprintOf = (leaf: X509Certificate | undefined): string =>
  createHash('sha256')
    .update(leaf?.raw ?? new Uint8Array())
    .digest('hex')

/** Proxmox issues certificates for the full host name. One for an address or for many names yields none. */
export function hostNameOf(leaf: X509Certificate | undefined): string | undefined {
  const name = /^CN=([a-z0-9-]{1,63})(?:\.[a-z0-9.-]{1,253})?$/im.exec(leaf?.subject ?? '')?.[1]
  return name === undefined || /^\d+$/.test(name) ? undefined : name
}
