import {
  connectionKey,
  type ImportChanges,
  monitorFlags,
  type MonitorFlag,
  NodeInput,
  SourceKind,
  sourceKinds,
} from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { maxConnections } from './connections.ts'
import { newConnection } from './input.ts'
import { nameFromHost, normalizeHost } from './normalize.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { at, count, invalidFile, listed, nothing, part } from '../export-part.ts'

const text = (max: number) => z.string().check(z.maxLength(max))
const secret = text(1024).check(z.minLength(1))
const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const allFlags = sourceKinds.flatMap((kind) => Object.keys(monitorFlags[kind]) as MonitorFlag[])

/** A field that a connection gets later must be carried too: this does not compile without it. */
const fields = {
  /** absent in what an older product wrote */
  id: z.optional(z.string().check(z.regex(/^(?:pve|pbs|pmg)-[0-9a-f]{12}$/))),
  kind: SourceKind,
  name: text(512).check(z.minLength(1)),
  host: text(512),
  auth: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('password'), user: text(256), password: secret }),
    z.strictObject({ type: z.literal('token'), tokenId: text(512), secret }),
  ]),
  fingerprint: z.optional(fingerprint),
  verifySSL: z.boolean(),
  flags: z.strictObject(
    Object.fromEntries(allFlags.map((name) => [name, z.optional(z.boolean())])) as Record<
      MonitorFlag,
      z.ZodMiniOptional<z.ZodMiniBoolean>
    >,
  ),
  clusterName: z.optional(text(256)),
  clusterEndpoints: z.optional(
    z
      .array(
        z.strictObject({
          NodeID: text(256),
          NodeName: text(256),
          Host: text(512),
          IP: text(64),
          Online: z.boolean(),
          LastSeen: z.optional(text(64)),
        }),
      )
      .check(z.maxLength(256)),
  ),
  memberFingerprints: z.optional(z.record(text(256), fingerprint)),
} satisfies Record<keyof Connection, z.ZodMiniType>

const ExportedConnection = z.strictObject(fields)
export type ExportedConnection = z.infer<typeof ExportedConnection>

export interface ConnectionsPartEdges {
  store: ConnectionStore
  now: () => number
  /** pulse.yaml owns it: no import changes it */
  isManaged: (connection: Connection) => boolean
}

/** Connections with their secrets. They replace those that are here, because a restored list is one list. */
export const connectionsPart = ({ store, now, isManaged }: ConnectionsPartEdges) =>
  part({
    key: 'connections',
    schema: z.array(ExportedConnection).check(z.maxLength(maxConnections)),
    async read() {
      return (await store.all()).map(toExported)
    },
    async plan(exported) {
      const stored = await store.all()
      if (exported.length === 0) {
        const kept = stored.length > 0 ? ['The file holds no nodes: those that are here stay.'] : []
        return { ...nothing, notes: kept }
      }
      const connections = exported.map((one, n) =>
        at(`connections[${n}]`, () => toConnection(one, idFor(one, stored))),
      )
      refuseDuplicates(connections)
      const managed = stored.filter(isManaged)
      const taken = connections.filter((one) => !managed.some((other) => isTwin(one, other)))
      const kept = managed.map(({ name }) => name)
      return {
        summary: count(taken.length, 'node'),
        notes: kept.length > 0 ? [`Nodes that pulse.yaml declares stay as they are: ${listed(kept)}.`] : [],
        changes: { nodes: changesOf(stored, [...managed, ...taken]) },
        queries: store.replacing([...managed, ...taken], now()),
      }
    },
  })

function changesOf(before: readonly Connection[], after: readonly Connection[]): ImportChanges['nodes'] {
  const show = ({ name, kind: type, host }: Connection) => ({ name, type, host })
  const come = after.map((one) => {
    const old = before.find(({ id }) => id === one.id)
    const isSame = old !== undefined && isDeepStrictEqual(toExported(old), toExported(one))
    return { ...show(one), change: isSame ? 'kept' : old ? 'changed' : 'added' } as const
  })
  const gone = before.filter(({ id }) => after.every((one) => one.id !== id))
  return [...come, ...gone.map((one) => ({ ...show(one), change: 'removed' as const }))]
}

function toExported({ auth, ...rest }: Connection): ExportedConnection {
  const open =
    auth.type === 'password'
      ? { type: auth.type, user: auth.user, password: auth.password.reveal() }
      : { type: auth.type, tokenId: auth.tokenId, secret: auth.secret.reveal() }
  const exported = { ...rest, auth: open }
  // What a cluster says about itself is learned again: however odd it is, it must not spoil the way back.
  if (ExportedConnection.safeParse(exported).success && !membersProblem(exported)) return exported
  const { clusterName: _name, clusterEndpoints: _endpoints, memberFingerprints: _pins, ...typed } = exported
  return typed
}

function membersProblem({ clusterEndpoints = [] }: ExportedConnection): string | undefined {
  for (const { NodeName, Host, IP } of clusterEndpoints) {
    if (IP !== '' && isIP(IP) === 0) return `"${IP}" is no IP address.`
    const url = URL.parse(Host)
    if (url?.protocol !== 'https:' || url.username || url.password) {
      return `"${NodeName}" has no address that begins with https://.`
    }
  }
  return undefined
}

/** Built as the form builds one, so that nothing gets in that the form would refuse. */
export function toConnection(exported: ExportedConnection, id: string): Connection {
  const { kind: type, name, host, auth, fingerprint, verifySSL, flags, ...learned } = exported
  const { clusterName, clusterEndpoints, memberFingerprints } = learned
  const input = NodeInput.parse({
    type,
    // one that came from a long address is longer than one that may be typed
    ...(name === nameFromHost(normalizeHost(host, type)) ? {} : { name }),
    host,
    ...(auth.type === 'password'
      ? { user: auth.user, password: auth.password }
      : { tokenName: auth.tokenId, tokenValue: auth.secret }),
    ...(fingerprint ? { fingerprint } : {}),
    verifySSL,
    ...flags,
  })
  if (input.name === '') throw new AppError('validation_failed', 'the name is blank')
  const problem = membersProblem(exported)
  if (problem !== undefined) throw new AppError('validation_failed', problem)
  return {
    ...newConnection(id, input),
    ...(clusterName ? { clusterName } : {}),
    ...(clusterEndpoints ? { clusterEndpoints: clusterEndpoints.map(withoutBlanks) } : {}),
    ...(memberFingerprints ? { memberFingerprints: { ...memberFingerprints } } : {}),
  }
}

function withoutBlanks({ LastSeen, ...rest }: NonNullable<ExportedConnection['clusterEndpoints']>[number]) {
  return { ...rest, ...(LastSeen === undefined ? {} : { LastSeen }) }
}

/** Everything that is known of guests hangs on the id: an address that is here already keeps its own. */
function idFor({ id, kind, host }: ExportedConnection, stored: readonly Connection[]): string {
  if (id !== undefined) {
    if (id.startsWith(`${kind}-`)) return id
    throw new AppError('validation_failed', 'the id is that of another kind of node')
  }
  const same = stored.find((one) => one.kind === kind && one.host === normalizeHost(host, kind))
  return same?.id ?? `${kind}-${randomBytes(6).toString('hex')}`
}

const marksOf = ({ id, kind, name, host }: Connection) => [
  `id ${id}`,
  `name ${name.toLowerCase()}`,
  `key ${connectionKey(kind, name).toLowerCase()}`,
  `${kind} ${host}`,
]

const isTwin = (one: Connection, other: Connection) => {
  const marks = marksOf(other)
  return marksOf(one).some((mark) => marks.includes(mark))
}

function refuseDuplicates(connections: readonly Connection[]): void {
  const seen = new Set<string>()
  for (const [n, connection] of connections.entries()) {
    for (const mark of marksOf(connection)) {
      if (seen.has(mark)) throw invalidFile(`connections[${n}]`, 'id, name or address is there twice')
      seen.add(mark)
    }
  }
}
