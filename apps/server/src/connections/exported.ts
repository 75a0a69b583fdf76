import { monitorFlags, type MonitorFlag, NodeInput, Site, SourceKind, sourceKinds } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import { newConnection } from '../node-config/input.ts'
import { nameFromHost, normalizeHost } from '../node-config/normalize.ts'

const text = (max: number) => z.string().check(z.maxLength(max))
const secret = text(1024).check(z.minLength(1))
const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const allFlags = sourceKinds.flatMap((kind) => Object.keys(monitorFlags[kind]) as MonitorFlag[])

/** A new field of a connection must be exported too. Without it this does not compile. */
const fields = {
  /** absent in exports of Pulse 4.x */
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
  site: z.optional(Site),
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

/** A connection in an export, with its secrets in clear text. */
export const ExportedConnection = z.strictObject(fields)
export type ExportedConnection = z.infer<typeof ExportedConnection>

export function toExported({ auth, ...rest }: Connection): ExportedConnection {
  const open =
    auth.type === 'password'
      ? { type: auth.type, user: auth.user, password: auth.password.reveal() }
      : { type: auth.type, tokenId: auth.tokenId, secret: auth.secret.reveal() }
  const exported = { ...rest, auth: open }
  // Pulse learns cluster data again. Odd cluster data must not make the export unreadable, so it is left out.
  if (ExportedConnection.safeParse(exported).success && !membersProblem(exported)) return exported
  const { clusterName: _name, clusterEndpoints: _endpoints, memberFingerprints: _pins, ...typed } = exported
  return typed
}

function membersProblem({ clusterEndpoints = [] }: ExportedConnection): string | undefined {
  for (const { NodeName, Host, IP } of clusterEndpoints) {
    if (IP !== '' && isIP(IP) === 0) return `"${IP}" is not an IP address.`
    const url = URL.parse(Host)
    if (url?.protocol !== 'https:' || url.username || url.password) {
      return `"${NodeName}" has no address beginning with https://.`
    }
  }
  return undefined
}

/** Builds the connection as the form does, so that an import accepts only what the form accepts. */
export function toConnection(exported: ExportedConnection, id: string): Connection {
  const { kind: type, name, host, auth, fingerprint, verifySSL, site, flags, ...learned } = exported
  const { clusterName, clusterEndpoints, memberFingerprints } = learned
  const input = NodeInput.parse({
    type,
    // A name derived from a long address may exceed the limit for entered names.
    ...(name === nameFromHost(normalizeHost(host, type)) ? {} : { name }),
    host,
    ...(auth.type === 'password'
      ? { user: auth.user, password: auth.password }
      : { tokenName: auth.tokenId, tokenValue: auth.secret }),
    ...(fingerprint ? { fingerprint } : {}),
    verifySSL,
    ...(site === undefined ? {} : { site }),
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
