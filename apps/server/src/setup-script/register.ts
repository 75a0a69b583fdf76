import type { AutoRegisterInput, NodeChange, NodeConfig, NodeInput, SetupKind } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import { normalizeFingerprint, normalizeTokenId, showFingerprint } from '../node-config/normalize.ts'

/** The list that a host registers in. */
export interface Connections {
  list(): NodeConfig[]
  /** Resolves to the new id. */
  add(input: NodeInput): Promise<string>
  change(id: string, input: NodeChange): Promise<string | undefined>
}

/** A host that made its own account is put in the list, or gets its new token there. */
export interface Registration {
  type: SetupKind
  /** checked and normalised */
  host: string
  name: string
  tokenId: string
  tokenValue: string
  /** lower-case hex; what the host shows and itself says it shows */
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
  // Accounts are the cluster's, certificates its members': a member brings its token and leaves the pin alone.
  await connections.change(known.id, { ...token, ...(known.host === host ? pin : {}) })
  return known.id
}

/** The connection that answers for this address, itself or as a member of its cluster. */
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
 * The certificate to pin. The fingerprint that this server sees must equal the one that the host reports: anything between the two would
 * show another one. A host that cannot be reached now is pinned by its own word, and gets no request before it shows it.
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

/** Throws what is wrong with it. */
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
