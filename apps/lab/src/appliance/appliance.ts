import type { IncomingMessage } from 'node:http'
import type { Tickets } from '../access/tickets.ts'
import type { ApiError } from '../api/api-error.ts'
import type { ParameterRule } from '../api/parameters.ts'
import type { Reply, Send } from '../api/reply.ts'
import type { Target } from '../api/target.ts'
import type { Certificate } from '../certificate.ts'

export type ApplianceKind = 'pbs' | 'pmg'

/** A host with its own product: a backup server or a mail gateway. */
export interface Appliance {
  product: Product
  name: string
  address: string
  port: number
  online: boolean
  certificate: Certificate
  release: ApplianceRelease
  accounts: Map<string, Account>
  tokens: Map<string, ApplianceToken>
  tickets: Tickets
}

export interface ApplianceRelease {
  major: number
  version: string
  release: string
  repoid: string
}

export interface Account {
  userId: string
  /** Absent for accounts that only have tokens. */
  password: string | undefined
  secondFactor: boolean
  /** A name in the product's `roles`. */
  role: string
  /** The path at which it has that role; default `/`, which covers everything. */
  path?: string
}

export interface ApplianceToken {
  tokenId: string
  secret: string
  enabled: boolean
  expired: boolean
  role: string
  path?: string
  /** Privileges that the control API has revoked: everywhere, or as `privilege@path` below a path; `*` is all. */
  dropped: ReadonlySet<string>
}

export interface Caller {
  userId: string
  /** Path as in an ACL; default `/`. */
  may(privilege: string, path?: string): boolean
}

export interface ApplianceCall {
  appliance: Appliance
  caller: Caller
  /** From path, query and body, verified. */
  params: Readonly<Record<string, string>>
  now: () => number
  /** Waits as long as the real product, at most until the client disconnects. */
  pause(ms: number): Promise<void>
}

export interface ApplianceRoute {
  method?: 'POST'
  path: string
  since?: number
  /** Answers without a login. */
  open?: true
  /** The privilege, with its path unless that is `/`. */
  needs?: string | { privilege: string; path: string }
  query?: Readonly<Record<string, ParameterRule>>
  answer: (call: ApplianceCall) => unknown
}

/** The differences between the products. */
export interface Product {
  kind: ApplianceKind
  /** As in the title of the start page and in the certificate. */
  title: string
  ticketPrefix: string
  cookie: string
  roles: Readonly<Record<string, readonly string[]>>
  routes: readonly ApplianceRoute[]
  /** Identifies a caller without a ticket. Throws the 401, which is sent after a delay. */
  identify: (appliance: Appliance, request: IncomingMessage) => Caller
  invalidTicket: string
  forbidden: (path: string, privilege: string) => ApiError
  /** Duration of a refused right, as a share of the duration of a refused login. */
  refusalShare: number
  unknownPath: (target: Target) => ApiError
  errorReply: (error: ApiError, release: ApplianceRelease) => Reply
  send: Send
}
