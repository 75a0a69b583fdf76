import type { AutoRegisterInput, NodeChange, NodeConfig, NodeInput, SetupKind } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import { normalizeFingerprint, normalizeTokenId, showFingerprint } from '../node-config/normalize.ts'

/** The list in which a host registers. */
export interface Connections {
  list(): NodeConfig[]
  /** Resolves to the new id. */
  add(input: NodeInput): Promise<string>
  change(id: string, input: NodeChange): Promise<string | undefined>
}

/** Adds a host that has created its account, or stores its new token. */
export interface Registration {
  type: SetupKind
  /** checked and normalised */
  host: string
  name: string
  tokenId: string
  tokenValue: string
  /** lower-case hex; equal in the host's own report and in its TLS handshake */
  fingerprint: string
}

export async function register(connections: Connections, registration: Registration): Promise<string> {
  const { type, host, name, tokenId, tokenValue, fingerprint } = registration
  const known = findByHost(connections, type, host)
  const token = { type, tokenName: tokenId, tokenValue }
  const pin = { fingerprint, verifySSL: true }
  if (!known)
    return connections.add({
      ...token,
      ...pin,
      host,
      name: freeName(connections, name || nameOf(host), host),
    })
  // The cluster shares the account, but each member has its own certificate. A member updates the token and
  // leaves the pin unchanged.
  await connections.change(known.id, { ...token, ...(known.host === host ? pin : {}) })
  return known.id
}

/** The connection for this address: its own, or that of its cluster. */
export const findByHost = (connections: Pick<Connections, 'list'>, type: SetupKind, host: string) =>
  connections
    .list()
    .find(
      (node) =>
        node.type === type &&
        (node.host === host ||
          node.clusterEndpoints?.some(({ Host, IP }) => Host === host || memberAddress(IP, host) === host)),
    )

const memberAddress = (ip: string, like: string) =>
  `https://${ip.includes(':') ? `[${ip}]` : ip}:${new URL(like).port || 443}`

function freeName({ list }: Pick<Connections, 'list'>, name: string, host: string): string {
  const taken = new Set(list().map((node) => node.name.toLowerCase()))
  const wanted = [name, `${name} (${nameOf(host)})`, `${name} (${new URL(host).host})`]
  return wanted.find((one) => !taken.has(one.toLowerCase())) ?? wanted.at(-1)!
}

const nameOf = (host: string) => new URL(host).hostname.replaceAll(/[[\]]/g, '')

/**
 * The certificate to pin. The fingerprint that this server sees must equal the one that the host reports; a
 * man in the middle would show another one. For an unreachable host the reported one is pinned, and the host
 * gets no request before it shows that certificate.
 */
export function agreeOnFingerprint(
  shown: string | undefined,
  {
    host,
    fingerprint,
    clusterFingerprints = [],
  }: Pick<AutoRegisterInput, 'fingerprint' | 'clusterFingerprints'> & { host: string },
): string {
  const own = fingerprint ? normalizeFingerprint(fingerprint) : undefined
  const all = new Set([...(own ? [own] : []), ...clusterFingerprints.map(normalizeFingerprint)])
  if (shown === undefined) {
    if (own && all.size === 1) return own
    throw new AppError(
      'connection_test_failed',
      `Pulse cannot reach ${host}. Check the address and the firewall, then run the script again with the same code.`,
    )
  }
  if (all.size > 0 && !all.has(shown)) {
    throw new AppError(
      'connection_test_failed',
      `${host} shows Pulse another certificate (${showFingerprint(shown)}) than the host reported. ` +
        'Is this the address of the host, and is there a proxy between the two?',
    )
  }
  return shown
}

/** Throws the problem of the token. */
export function checkToken({ type, tokenId, tokenValue }: AutoRegisterInput): {
  tokenId: string
  tokenValue: string
} {
  if (!/^[\w.-]+@[\w.-]+![\w.-]+$/.test(tokenId) || !/^[\w-]{8,128}$/.test(tokenValue)) {
    throw new AppError(
      'validation_failed',
      'tokenId must have the form user@realm!name; tokenValue must be a token secret.',
    )
  }
  return { tokenId: normalizeTokenId(tokenId, undefined, type), tokenValue }
}
