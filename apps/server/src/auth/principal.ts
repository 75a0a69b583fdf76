import type { ActorMethod, Role, Scope } from '@pulse/contract'

/** An authenticated caller. */
export interface Principal {
  method: ActorMethod
  /** stable across renames: `user:…`, `token:…`, `proxy:…` */
  id: string
  name: string
  role: Role
  /** a token's scopes; undefined for users, whose role decides */
  scopes?: readonly Scope[]
  /** the local or single sign-on account */
  userId?: string
  /** key of the session that identifies the user, if any */
  sessionHash?: string
  /** false once the session, token or account has ended, or its role has changed */
  isCurrent(): boolean
}
