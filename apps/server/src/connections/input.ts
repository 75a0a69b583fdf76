import { monitorFlags, type MonitorFlag, type NodeInput, type SourceKind } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { Connection } from '../collectors/source.ts'
import { Secret } from '../secret.ts'
import {
  nameFromHost,
  normalizeName,
  normalizeTokenValue,
  normalizeFingerprint,
  normalizeHost,
  normalizeTokenId,
  withRealm,
} from './normalize.ts'

type Auth = Connection['auth']

const invalid = (message: string) => new AppError('validation_failed', message)

/** A new connection from the form. Messages are those of the settings page. */
export function newConnection(id: string, input: NodeInput): Connection {
  const { type: kind } = input
  const host = normalizeHost(input.host ?? '', kind)
  return {
    id,
    kind,
    name: normalizeName(input.name ?? '') || nameFromHost(host),
    host,
    auth: newAuth(input, kind),
    ...(input.fingerprint ? { fingerprint: normalizeFingerprint(input.fingerprint) } : {}),
    verifySSL: input.verifySSL ?? true,
    flags: { ...monitorFlags[kind], ...flagsOf(input, kind) },
  }
}

/** What the form changes in a stored connection: absent means unchanged, a blank secret keeps the stored one. */
export function changedConnection(old: Connection, input: NodeInput): Connection {
  if (input.type !== old.kind) throw invalid('The type of a node cannot be changed; add a new one.')
  const host = input.host === undefined ? old.host : normalizeHost(input.host, old.kind)
  const { fingerprint: kept, clusterName, clusterEndpoints, memberFingerprints, ...rest } = old
  const fingerprint = input.fingerprint === undefined ? kept : input.fingerprint
  const pin = fingerprint ? normalizeFingerprint(fingerprint) : undefined
  const sameHost = host === old.host
  return {
    ...rest,
    name: normalizeName(input.name ?? '') || old.name,
    host,
    auth: changedAuth(old.auth, input, old.kind),
    ...(pin ? { fingerprint: pin } : {}),
    verifySSL: input.verifySSL ?? old.verifySSL,
    flags: { ...old.flags, ...flagsOf(input, old.kind) },
    ...(sameHost && clusterName ? { clusterName } : {}),
    ...(sameHost && clusterEndpoints ? { clusterEndpoints } : {}),
    // Learned over a connection that this pin verified.
    ...(sameHost && pin === kept && memberFingerprints ? { memberFingerprints } : {}),
  }
}

/** What a test of the changed form may send: a stored secret goes only where it was meant to go. */
export function testedConnection(old: Connection, input: NodeInput): Connection {
  const connection = changedConnection(old, input)
  const keepsSecret = !input.password && !input.tokenValue
  const isSameHost =
    connection.host === old.host &&
    connection.fingerprint === old.fingerprint &&
    connection.verifySSL === old.verifySSL
  if (keepsSecret && !isSameHost) {
    const secret = old.auth.type === 'token' ? 'token value' : 'password'
    throw invalid(
      `The address or the certificate check was changed. Enter the ${secret} again to test this: the stored one is only sent where it was meant to go.`,
    )
  }
  return connection
}

function newAuth(input: NodeInput, kind: SourceKind): Auth {
  const { user, password, tokenName, tokenValue } = input
  if (tokenName || tokenValue) {
    if (!tokenName || !tokenValue) throw invalid('Token ID and token value are required')
    return {
      type: 'token',
      tokenId: normalizeTokenId(tokenName, user, kind),
      secret: new Secret(normalizeTokenValue(tokenValue)),
    }
  }
  if (!user || !password) throw invalid('Username and password are required')
  return { type: 'password', user: withRealm(user, kind), password: new Secret(password) }
}

function changedAuth(old: Auth, input: NodeInput, kind: SourceKind): Auth {
  const { user, password, tokenName, tokenValue } = input
  if (tokenValue) {
    const name = tokenName || (old.type === 'token' ? old.tokenId : undefined)
    if (!name) throw invalid('Token ID and token value are required')
    return {
      type: 'token',
      tokenId: normalizeTokenId(name, user, kind),
      secret: new Secret(normalizeTokenValue(tokenValue)),
    }
  }
  if (password) {
    const name = user || (old.type === 'password' ? old.user : undefined)
    if (!name) throw invalid('Username and password are required')
    return { type: 'password', user: withRealm(name, kind), password: new Secret(password) }
  }
  if (old.type === 'token' && tokenName) return { ...old, tokenId: normalizeTokenId(tokenName, user, kind) }
  if (old.type === 'password' && user) return { ...old, user: withRealm(user, kind) }
  return old
}

function flagsOf(input: NodeInput, kind: SourceKind): Partial<Record<MonitorFlag, boolean>> {
  const flags: Partial<Record<MonitorFlag, boolean>> = {}
  for (const name of Object.keys(monitorFlags[kind]) as MonitorFlag[]) {
    const value = input[name]
    if (value !== undefined) flags[name] = value
  }
  return flags
}
