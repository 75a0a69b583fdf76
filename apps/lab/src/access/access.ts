import type { PveMajor } from '../options.ts'
import { allPrivileges, privilegesOf } from './roles.ts'
import type { RoleName } from './roles.ts'

export interface User {
  userId: string
  /** Absent for users that have only tokens. */
  password: string | undefined
  secondFactor: boolean
}

export interface Token {
  tokenId: string
  secret: string
  /** Effective rights are those that both user and token have. */
  separated: boolean
  enabled: boolean
  expiresAtMs: number | undefined
  /**
   * Privileges that the control API has revoked: everywhere, or at and below a path as in
   * `Datastore.Audit@/storage/nas`; `*` revokes all.
   */
  dropped: ReadonlySet<string>
}

/** Like `pveum acl modify PATH --users|--tokens WHO --roles ROLE`, propagating. */
export interface AclEntry {
  path: string
  who: string
  role: RoleName
}

export interface Access {
  major: PveMajor
  users: Map<string, User>
  tokens: Map<string, Token>
  acl: AclEntry[]
}

/** The caller: a user, or a token of a user. */
export type Caller = { userId: string; token: Token | undefined }

export interface Rights {
  /** Callers with the same key have the same rights. */
  key: string
  at(path: string): ReadonlySet<string>
  has(path: string, privilege: string): boolean
}

const everything = 'root@pam'

export function rightsOf(access: Access, caller: Caller): Rights {
  const { token } = caller
  const sources = [grantsTo(access, caller.userId)]
  if (token?.separated) sources.push(grantsTo(access, token.tokenId))
  const dropped = token?.dropped ?? new Set<string>()
  const drops = [...dropped].map(dropOf)
  const paths = new Set([
    ...sources.flatMap((grants) => [...grants.keys()]),
    ...drops.map(({ path }) => path),
  ])
  const known = new Map<string, ReadonlySet<string>>()
  const at = (path: string): ReadonlySet<string> => {
    const nearest = deepestOf(paths, path)
    const before = known.get(nearest)
    if (before) return before
    const [own, ...others] = sources.map((grants) => inherited(grants, nearest))
    const kept = [...own!].filter((privilege) => others.every((set) => set.has(privilege)))
    const lost = drops.filter((drop) => isAtOrBelow(nearest, drop.path)).map(({ privilege }) => privilege)
    const privileges = new Set(lost.includes('*') ? [] : kept.filter((one) => !lost.includes(one)))
    known.set(nearest, privileges)
    return privileges
  }
  return {
    key: JSON.stringify([
      sources.map((grants) => [...grants].map(([path, set]) => [path, [...set]])),
      [...dropped],
    ]),
    at,
    has: (path, privilege) => at(path).has(privilege),
  }
}

type Grants = Map<string, ReadonlySet<string>>

function grantsTo(access: Access, who: string): Grants {
  if (who === everything) return new Map([['/', new Set(allPrivileges(access.major))]])
  const grants = new Map<string, Set<string>>()
  for (const entry of access.acl) {
    if (entry.who !== who) continue
    const set = grants.get(entry.path) ?? new Set<string>()
    for (const privilege of privilegesOf(entry.role, access.major)) set.add(privilege)
    grants.set(entry.path, set)
  }
  return grants
}

/** An entry further down replaces inherited roles; it does not add to them. */
function inherited(grants: Grants, path: string): ReadonlySet<string> {
  for (let ancestor = path; ; ancestor = parentOf(ancestor)) {
    const set = grants.get(ancestor)
    if (set) return set
    if (ancestor === '/') return new Set()
  }
}

function deepestOf(paths: ReadonlySet<string>, path: string): string {
  let ancestor = path
  while (ancestor !== '/' && !paths.has(ancestor)) ancestor = parentOf(ancestor)
  return ancestor
}

export function dropOf(entry: string): { privilege: string; path: string } {
  const [privilege = '', path = '/'] = entry.split('@')
  return { privilege, path }
}

const isAtOrBelow = (path: string, top: string): boolean =>
  top === '/' || path === top || path.startsWith(`${top}/`)

function parentOf(path: string): string {
  const cut = path.lastIndexOf('/')
  return cut <= 0 ? '/' : path.slice(0, cut)
}
