import type { Need } from '../part.ts'
import { type Permissions, toNumber } from './schema.ts'

type Holding =
  | { is: 'whole' | 'none' }
  /** only on these paths */
  | { is: 'partial'; only: string[] }
  /** everywhere except on these paths, where other rights replace the inherited ones */
  | { is: 'broken'; not: string[] }

/** Warnings about rights that are missing or exist only for some paths. */
export const lackingOf = (granted: Permissions, needs: readonly Need[]): string[] =>
  needs.map((need) => warningOf(need, holdingOf(granted, need))).filter((text) => text !== undefined)

/** The path for granting the right. It may be missing only on some paths below `need.path`. */
export function whereLacking(granted: Permissions, need: Need): string {
  const holding = holdingOf(granted, need)
  return holding.is === 'broken' ? listed(holding.not) : need.path
}

/** Rights that are missing entirely. An account restricted to some paths on purpose is no fault. */
export const missingOf = (granted: Permissions, needs: readonly Need[]): string[] =>
  lackingOf(
    granted,
    needs.filter((need) => holdingOf(granted, need).is === 'none'),
  )

export const rightsOf = (parts: readonly { rights?: readonly Need[] }[]): Need[] =>
  parts.flatMap(({ rights = [] }) => rights)

const leavesOut = ({ silent }: Need) => silent ?? false

/** PVE filters lists silently instead of refusing them, so missing rights show only here. */
export const missingForLists = (granted: Permissions, needs: readonly Need[]): string[] =>
  missingOf(granted, needs.filter(leavesOut))

/** Hidden lists, and the missing right of each. */
export const hiddenLists = (granted: Permissions, needs: readonly Need[]) =>
  needs.flatMap((need) => {
    const [error] = need.hides === undefined ? [] : lackingOf(granted, [need])
    if (error === undefined) return []
    return [{ what: need.hides!, error, right: `${need.called} on ${whereLacking(granted, need)}` }]
  })

/** Rights for lists come first: without a list there are no details. */
export const missingRights = (granted: Permissions, needs: readonly Need[]): string[] =>
  lackingOf(granted, [...needs.filter(leavesOut), ...needs.filter((need) => !leavesOut(need))])

/**
 * Evaluates an answer of `/access/permissions` for a need. The answer already includes tokens with privilege
 * separation, groups and pools. It lists the product's own trees, every path of an access list and the
 * members of pools, each with all effective rights. It omits paths without any rights. An unlisted path has
 * the rights of the nearest listed path above that propagates some. Entries that do not propagate are
 * skipped. Where the answer is ambiguous, the result claims less.
 */
export function holdingOf(granted: Permissions, { path, alone, rights }: Need): Holding {
  const has = (at: Record<string, unknown> | undefined) =>
    at !== undefined && rights.some((right) => Object.hasOwn(at, right))
  if (alone) return { is: has(granted[path]) ? 'whole' : 'none' }
  const below = Object.keys(granted).filter((one) => one.startsWith(`${path}/`))
  if (isWhole(granted, path, rights)) {
    const not = below.filter((one) => !has(granted[one]))
    return not.length === 0 ? { is: 'whole' } : { is: 'broken', not }
  }
  const pools = Object.keys(granted).filter((one) => /^\/pool(\/|$)/.test(one) && has(granted[one]))
  const isOfPool = (one: string) => pools.length > 0 && !propagates(granted[one]!, rights)
  // Rights of a pool's members do not propagate, so the warning names the pool instead.
  const parts = below.filter((one) => has(granted[one]) && !isOfPool(one))
  const only = [...pools.map(poolName), ...parts]
  return only.length === 0 ? { is: 'none' } : { is: 'partial', only }
}

/** Always listed with their rights, so an absent tree has none. */
const ownTrees = ['/access', '/datastore', '/nodes', '/pool', '/remote', '/storage', '/vms']

/** Whether paths below this one inherit one of these rights. The cost does not grow with the answer. */
export function isWhole(granted: Permissions, path: string, rights: readonly string[]): boolean {
  const listsTrees = ownTrees.some((tree) => Object.hasOwn(granted, tree))
  for (let ancestor = path; ; ancestor = ancestor.slice(0, ancestor.lastIndexOf('/')) || '/') {
    const at = Object.hasOwn(granted, ancestor) ? granted[ancestor] : undefined
    if (at && propagates(at, rights)) return true
    const goesOn = at
      ? rights.some((right) => Object.hasOwn(at, right)) && !propagates(at, Object.keys(at))
      : !(listsTrees && ownTrees.includes(ancestor))
    if (ancestor === '/' || !goesOn) return false
  }
}

const propagates = (at: Record<string, unknown>, rights: readonly string[]) =>
  rights.some((right) => Object.hasOwn(at, right) && toNumber(at[right]) === 1)

const poolName = (path: string) => (path === '/pool' ? 'every pool' : `pool ${path.slice('/pool/'.length)}`)

function warningOf({ path, called, dark }: Need, holding: Holding): string | undefined {
  switch (holding.is) {
    case 'whole':
      return undefined
    case 'none':
      return `${called} is missing on ${path}: ${dark}`
    case 'partial':
      return `${called} only on ${listed(holding.only)}: elsewhere ${dark}`
    case 'broken':
      return `${called} is missing on ${listed(holding.not)}: there ${dark}`
  }
}

const shown = 5
/** The longest valid path in Proxmox. The server may send longer ones. */
const longest = 120
const shortened = (part: string) => (part.length > longest ? `${part.slice(0, longest - 1)}…` : part)

function listed(parts: readonly string[]): string {
  const sorted = parts.toSorted()
  const rest = sorted.length - shown
  return sorted.slice(0, shown).map(shortened).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
