import { monitorFlags, type SourceKind } from '@pulse/contract'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { issueText, type LegacyPart, lenient, listed, type Taken, text } from '../export-part.ts'
import { type ExportedConnection, toConnection } from './exported.ts'
import { normalizeFingerprint, normalizeHost, normalizeTokenId, withRealm } from '../node-config/normalize.ts'

/** One saved node of Pulse 4.x. Its keys are the names of the Go fields. Flags are read by name. */
const LegacyNode = z.looseObject({
  Name: text,
  Host: text,
  User: text,
  Password: text,
  TokenName: text,
  TokenValue: text,
  Fingerprint: text,
  VerifySSL: lenient(z.boolean(), true),
})
type LegacyNode = z.infer<typeof LegacyNode>

const nodes = lenient(z.array(LegacyNode), [])

const LegacyNodes = lenient(
  z.looseObject({ pveInstances: nodes, pbsInstances: nodes, pmgInstances: nodes }),
  {
    pveInstances: [],
    pbsInstances: [],
    pmgInstances: [],
  },
)

/** The saved nodes of Pulse 4.x. */
export const legacyConnections: LegacyPart<ExportedConnection[]> = { field: 'nodes', take: toConnections }

function toConnections(value: unknown): Taken<ExportedConnection[]> {
  const older = LegacyNodes.parse(value)
  const all = [
    ...older.pveInstances.map((node) => ['pve', node] as const),
    ...older.pbsInstances.map((node) => ['pbs', node] as const),
    ...older.pmgInstances.map((node) => ['pmg', node] as const),
  ]
  const result: Taken<ExportedConnection[]> = { taken: [], notes: [] }
  for (const [kind, node] of all) {
    try {
      result.taken.push(toExported(kind, node, result.taken))
    } catch (error) {
      const problem =
        error instanceof AppError
          ? error.message
          : error instanceof z.core.$ZodError
            ? issueText(error)
            : undefined
      if (problem === undefined) throw error
      result.notes.push(`The node ${listed([node.Name || node.Host])} was left out: ${problem}`)
    }
  }
  return result
}

function toExported(
  kind: SourceKind,
  node: LegacyNode,
  taken: readonly ExportedConnection[],
): ExportedConnection {
  const host = normalizeHost(node.Host, kind)
  if (taken.some((one) => one.kind === kind && one.host === host)) {
    throw new AppError('validation_failed', `${host} appears twice.`)
  }
  const exported: ExportedConnection = {
    kind,
    name: freeName(node.Name.trim() || new URL(host).hostname, kind, taken),
    host,
    auth: node.TokenName && node.TokenValue ? tokenOf(node, kind) : passwordOf(node, kind),
    ...(node.Fingerprint ? { fingerprint: normalizeFingerprint(node.Fingerprint) } : {}),
    verifySSL: node.VerifySSL,
    flags: flagsOf(kind, node),
  }
  toConnection(exported, `${kind}-000000000000`)
  return exported
}

const tokenOf = ({ TokenName, TokenValue, User }: LegacyNode, kind: SourceKind) => ({
  type: 'token' as const,
  tokenId: normalizeTokenId(TokenName, User || undefined, kind),
  secret: TokenValue.trim(),
})

function passwordOf({ User, Password }: LegacyNode, kind: SourceKind) {
  if (!User || !Password) throw new AppError('validation_failed', 'it has no credentials.')
  return { type: 'password' as const, user: withRealm(User, kind), password: Password }
}

/** `monitorVMs` was `MonitorVMs`. A flag that is missing in an older file counts as on. */
function flagsOf(kind: SourceKind, node: LegacyNode): ExportedConnection['flags'] {
  const names = Object.keys(monitorFlags[kind])
  return Object.fromEntries(
    names.map((name) => [name, node[name[0]!.toUpperCase() + name.slice(1)] !== false]),
  )
}

/** In Pulse 4.x a node and a backup server could share a name. Here names are unique. */
function freeName(name: string, kind: SourceKind, taken: readonly ExportedConnection[]): string {
  const isTaken = (text: string) => taken.some((one) => one.name.toLowerCase() === text.toLowerCase())
  if (!isTaken(name)) return name
  const withKind = `${name} ${kind.toUpperCase()}`
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? withKind : `${withKind} ${n}`
    if (!isTaken(candidate)) return candidate
  }
}
