import type { ActorMethod, Role, Scope } from '@pulse/contract'

/** An authenticated caller. */
export interface Principal {
  method: ActorMethod
  /** stable across renames: `user:…`, `token:…`, `proxy:…` */
  id: string
  name: string
  role: Role
  /** what a token holds; undefined for people, whose role decides */
  scopes?: readonly Scope[]
  /** the local or single sign-on account */
  userId?: string
  /** key of the session, when one shows who it is */
  sessionHash?: string
  /** false as soon as the right has ended: session, token or account is gone, or its role has changed */
  isCurrent(): boolean
}
