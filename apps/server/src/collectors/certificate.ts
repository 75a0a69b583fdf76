import { createHash, type X509Certificate } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import { connect } from 'node:tls'
import type { Clock } from '@pulse/domain'

/** What the user said about a connection's certificate. */
export function trustOf({ fingerprint, verifySSL }: { fingerprint?: string; verifySSL: boolean }): Trust {
  if (fingerprint) return { by: 'fingerprint', fingerprint }
  return verifySSL ? { by: 'system' } : { by: 'nothing' }
}

/** How the other side proves who it is: by its leaf's SHA-256, by the system's CAs and its name, or not at all. */
export type Trust = { by: 'fingerprint'; fingerprint: string } | { by: 'system' } | { by: 'nothing' }

/** Lower-case hex without colons: the form in which fingerprints are compared. */
export const normalFingerprint = (text: string): string => text.replace(/[^0-9a-f]/gi, '').toLowerCase()

/** Upper-case pairs with colons: the form in which Proxmox shows them. */
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
  /** of the host it was made for, without its domain */
  name: string | undefined
}

/** What is to be known of the certificate that the other side has shown. */
export const shownCertificate = (leaf: X509Certificate | undefined): ShownCertificate => ({
  fingerprint: fingerprintOf(leaf),
  name: hostNameOf(leaf),
})

/** For observers of the calls under way; costs nothing without one. */
export const calls = tracingChannel<object, { host: string }>('pulse:call')

/** The certificate a host shows, trusted or not. Sends nothing but the handshake. */
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

/** IPv6 literals carry brackets in a URL only. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const fingerprintOf = (leaf: X509Certificate | undefined): string =>
  createHash('sha256')
    .update(leaf?.raw ?? new Uint8Array())
    .digest('hex')

/** Proxmox makes its certificates out to the full name of the host; one for an address or for many names tells none. */
export function hostNameOf(leaf: X509Certificate | undefined): string | undefined {
  const name = /^CN=([a-z0-9-]{1,63})(?:\.[a-z0-9.-]{1,253})?$/im.exec(leaf?.subject ?? '')?.[1]
  return name === undefined || /^\d+$/.test(name) ? undefined : name
}
