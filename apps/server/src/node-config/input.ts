import {
  monitorFlags,
  type MonitorFlag,
  type NodeChange,
  type NodeInput,
  type SourceKind,
} from '@pulse/contract'
import { type Connection, nodeDestination, Secret, secretRefusal } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import {
  nameFromHost,
  normalizeName,
  normalizeSite,
  normalizeTokenValue,
  normalizeFingerprint,
  normalizeHost,
  normalizeTokenId,
  withRealm,
} from './normalize.ts'

type Auth = Connection['auth']

const invalid = (message: string) => new AppError('validation_failed', message)

/** A new connection from the form. The settings page shows the messages. */
export function newConnection(id: string, input: NodeInput): Connection {
  const { type: kind } = input
  const host = normalizeHost(input.host ?? '', kind)
  const site = normalizeSite(input.site ?? '')
  return {
    id,
    kind,
    name: normalizeName(input.name ?? '') || nameFromHost(host),
    host,
    auth: newAuth(input, kind),
    ...(input.fingerprint ? { fingerprint: normalizeFingerprint(input.fingerprint) } : {}),
    verifySSL: input.verifySSL ?? true,
    ...(site !== undefined && { site }),
    flags: { ...monitorFlags[kind], ...flagsOf(input, kind) },
  }
}

/**
 * The stored connection with the form's changes. Absent fields are unchanged, and a blank secret keeps the
 * stored one. Throws `secret_required` when the stored secret would go to another destination.
 */
export function changedConnection(old: Connection, input: NodeChange): Connection {
  if (input.type !== undefined && input.type !== old.kind) {
    throw invalid('The type of a node cannot be changed; add a new one.')
  }
  const host = input.host === undefined ? old.host : normalizeHost(input.host, old.kind)
  const { fingerprint: kept, site: oldSite, clusterName, clusterEndpoints, memberFingerprints, ...rest } = old
  const fingerprint = input.fingerprint === undefined ? kept : input.fingerprint
  const pin = fingerprint ? normalizeFingerprint(fingerprint) : undefined
  const verifySSL = input.verifySSL ?? old.verifySSL
  const site = input.site === undefined ? oldSite : normalizeSite(input.site)
  const sameHost = host === old.host
  const isSameCheck = pin === kept && verifySSL === old.verifySSL
  const changed: Connection = {
    ...rest,
    name: normalizeName(input.name ?? '') || old.name,
    host,
    auth: changedAuth(old.auth, input, old.kind),
    ...(pin ? { fingerprint: pin } : {}),
    verifySSL,
    ...(site !== undefined && { site }),
    flags: { ...old.flags, ...flagsOf(input, old.kind) },
    ...(sameHost && clusterName ? { clusterName } : {}),
    ...(sameHost && clusterEndpoints ? { clusterEndpoints } : {}),
    // Learned over a connection with the same certificate check.
    ...(sameHost && isSameCheck && memberFingerprints ? { memberFingerprints } : {}),
  }
  refuseToForward(old, changed, input)
  return changed
}

function refuseToForward(old: Connection, changed: Connection, { password, tokenValue }: NodeChange) {
  const [name, field] = old.auth.type === 'token' ? ['token value', 'tokenValue'] : ['password', 'password']
  const isGiven = Boolean(password || tokenValue)
  const secret = { name, isStored: true, isGiven }
  const refusal = secretRefusal(nodeDestination(old), nodeDestination(changed), secret)
  if (refusal)
    throw new AppError('secret_required', refusal, { details: { [field]: `Enter the ${name} again.` } })
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

function changedAuth(old: Auth, input: NodeChange, kind: SourceKind): Auth {
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

function flagsOf(input: NodeChange, kind: SourceKind): Partial<Record<MonitorFlag, boolean>> {
  const flags: Partial<Record<MonitorFlag, boolean>> = {}
  for (const name of Object.keys(monitorFlags[kind]) as MonitorFlag[]) {
    const value = input[name]
    if (value !== undefined) flags[name] = value
  }
  return flags
}
