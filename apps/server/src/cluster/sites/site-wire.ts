import { ClusterEndpoint, NodeTest, SourceKind } from '@pulse/contract'
import { type Connection, Secret } from '@pulse/domain'
import * as z from 'zod/mini'
import type { Pace } from '../../collectors/source.ts'

const text = (most: number) => z.string().check(z.maxLength(most))
const ms = z.number().check(z.gte(1), z.lte(7 * 24 * 3_600_000))

/** What a source says about its own cluster. */
const Learned = z.object({
  clusterName: z.optional(text(200)),
  clusterEndpoints: z
    .array(
      z.extend(ClusterEndpoint, {
        NodeID: text(200),
        NodeName: text(255),
        Host: text(300),
        IP: text(100),
        LastSeen: z.optional(text(100)),
      }),
    )
    .check(z.maxLength(100)),
  memberFingerprints: z
    .record(text(255), text(200))
    .check(z.refine((members) => Object.keys(members).length <= 100)),
})

/** What a collector asks the process that leads. */
export const SiteQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('connections') }),
  z.object({ ask: z.literal('learned'), source: text(64), cluster: Learned }),
])
export type SiteQuestion = z.infer<typeof SiteQuestion>

/** With its secret: only ever sent sealed. */
const SentConnection = z.object({
  id: text(64),
  kind: SourceKind,
  name: text(1_000),
  host: text(2_000),
  auth: z.discriminatedUnion('type', [
    z.object({ type: z.literal('password'), user: z.string(), password: z.string() }),
    z.object({ type: z.literal('token'), tokenId: z.string(), secret: z.string() }),
  ]),
  fingerprint: z.optional(z.string()),
  verifySSL: z.boolean(),
  site: z.optional(z.string()),
  flags: z.record(z.string(), z.boolean()),
  clusterName: z.optional(z.string()),
  clusterEndpoints: z.optional(z.array(ClusterEndpoint)),
  memberFingerprints: z.optional(z.record(z.string(), z.string())),
})
type SentConnection = z.infer<typeof SentConnection>

const SentPace = z.object({
  hostMs: ms,
  timeoutMs: ms,
  backupsMs: z.optional(ms),
  withoutZfs: z.optional(z.boolean()),
  adaptive: z.optional(z.object({ baseMs: ms, minMs: ms, maxMs: ms })),
})

export const SiteAnswer = z.object({
  connections: z.array(
    z.extend(SentConnection, {
      /** Other processes have an answer or a failure of it already. */
      isKnown: z.boolean(),
      /** the work that it makes; absent: an older version, which does not say so */
      cost: z.optional(z.number().check(z.gte(1), z.lte(1e9))),
    }),
  ),
  pace: z.object({ pve: SentPace, pbs: SentPace, pmg: SentPace }),
})
export interface SiteAnswer {
  connections: (SentConnection & { isKnown: boolean; cost?: number | undefined })[]
  pace: Record<SourceKind, Pace>
}

/** What the process that leads asks one of the collectors. */
export const SiteTask = z.object({ test: SentConnection })
export type SiteTask = z.infer<typeof SiteTask>

/** The answer to it. Its texts are shown to the administrator. */
export const SiteTestResult = z.extend(NodeTest, {
  message: text(2_000),
  warnings: z.optional(z.array(text(2_000)).check(z.maxLength(100))),
})

export function toSent({ auth, ...rest }: Connection): SentConnection {
  const revealed =
    auth.type === 'password'
      ? { ...auth, password: auth.password.reveal() }
      : { ...auth, secret: auth.secret.reveal() }
  return { ...rest, flags: { ...rest.flags }, auth: revealed }
}

export function fromSent({ auth, ...rest }: SentConnection): Connection {
  const hidden =
    auth.type === 'password'
      ? { ...auth, password: new Secret(auth.password) }
      : { ...auth, secret: new Secret(auth.secret) }
  return { ...rest, auth: hidden } as Connection
}
