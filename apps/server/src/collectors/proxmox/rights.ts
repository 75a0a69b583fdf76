import type { Need } from '../part.ts'
import { type Permissions, toNumber } from './schema.ts'

type Holding =
  | { is: 'whole' | 'none' }
  /** on these parts and nowhere else */
  | { is: 'partial'; only: string[] }
  /** everywhere but here, where other rights replace those from above */
  | { is: 'broken'; not: string[] }

/** Warnings: what is missing, and what is there for some parts only. */
export const lackingOf = (granted: Permissions, needs: readonly Need[]): string[] =>
  needs.map((need) => warningOf(need, holdingOf(granted, need))).filter((text) => text !== undefined)

/** The path to give the right on: what lies below it may be all that lacks it. */
export function whereLacking(granted: Permissions, need: Need): string {
  const holding = holdingOf(granted, need)
  return holding.is === 'broken' ? listed(holding.not) : need.path
}

/** What is missing altogether. An account that was given some parts on purpose is no fault. */
export const missingOf = (granted: Permissions, needs: readonly Need[]): string[] =>
  lackingOf(
    granted,
    needs.filter((need) => holdingOf(granted, need).is === 'none'),
  )

export const rightsOf = (parts: readonly { rights?: readonly Need[] }[]): Need[] =>
  parts.flatMap(({ rights = [] }) => rights)

const leavesOut = ({ silent }: Need) => silent ?? false

/** PVE filters lists in silence instead of refusing them: what is missing shows here only. */
export const missingForLists = (granted: Permissions, needs: readonly Need[]): string[] =>
  missingOf(granted, needs.filter(leavesOut))

/** Hidden lists, and the missing right of each. */
export const hiddenLists = (granted: Permissions, needs: readonly Need[]) =>
  needs.flatMap((need) => {
    const [error] = need.hides === undefined ? [] : lackingOf(granted, [need])
    if (error === undefined) return []
    return [{ what: need.hides!, error, right: `${need.called} on ${whereLacking(granted, need)}` }]
  })

/** What lists need comes first: without it there is nothing to have details of. */
export const missingRights = (granted: Permissions, needs: readonly Need[]): string[] =>
  lackingOf(granted, [...needs.filter(leavesOut), ...needs.filter((need) => !leavesOut(need))])

/**
 * What an answer of `/access/permissions` says about a need. The product has worked in already: tokens with rights of
 * their own, groups, and pools. It lists its own trees, every path of an access list and the members of pools, each
 * with all the rights it has in effect; a path without any is left out. What is not listed has the rights of the
 * nearest path above it that hands some down; an entry that does not propagate is passed over. Where the answer leaves
 * that open, less is claimed.
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
  // What pools give to their members does not propagate: the pool says it shorter.
  const parts = below.filter((one) => has(granted[one]) && !isOfPool(one))
  const only = [...pools.map(poolName), ...parts]
  return only.length === 0 ? { is: 'none' } : { is: 'partial', only }
}

/** Listed with whatever rights it has, so that one that is absent has none. */
const ownTrees = ['/access', '/datastore', '/nodes', '/pool', '/remote', '/storage', '/vms']

/** Whether what has no rights of its own below this path has one of these. Costs the same however much is granted. */
export function isWhole(granted: Permissions, path: string, rights: readonly string[]): boolean {
  const listsTrees = ownTrees.some((tree) => Object.hasOwn(granted, tree))
  for (let place = path; ; place = place.slice(0, place.lastIndexOf('/')) || '/') {
    const at = Object.hasOwn(granted, place) ? granted[place] : undefined
    if (at && propagates(at, rights)) return true
    const goesOn = at
      ? rights.some((right) => Object.hasOwn(at, right)) && !propagates(at, Object.keys(at))
      : !(listsTrees && ownTrees.includes(place))
    if (place === '/' || !goesOn) return false
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
/** The longest path that a person can have given rights on; the other end may say anything. */
const longest = 120
const shortened = (part: string) => (part.length > longest ? `${part.slice(0, longest - 1)}…` : part)

function listed(parts: readonly string[]): string {
  const sorted = parts.toSorted()
  const rest = sorted.length - shown
  return sorted.slice(0, shown).map(shortened).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
