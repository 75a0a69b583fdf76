import { isEqual } from '@pulse/domain'

type Path = readonly string[]

/** One edit at one path of a document. A patch contains the resulting value, so it is idempotent. */
type Patch =
  /** an empty object is a default: it keeps the fields of an existing object, unless it replaces a removal */
  | { kind: 'set'; path: Path; value: unknown; isReplacing?: true }
  | { kind: 'remove'; path: Path }
  /** how often a list contains this item, as JSON. List items are identified by value, not by index */
  | { kind: 'item'; path: Path; item: string; count: number }
  | { kind: 'order'; path: Path; order: readonly string[] }

/** By path. A parent precedes its children. */
export type Patches = ReadonlyMap<string, Patch>

export const noPatches: Patches = new Map()

type Fields = Readonly<Record<string, unknown>>

/** Objects with fields that belong together, such as the two values of a threshold. */
export type IsAtom = (value: Fields) => boolean

const keyOf = (patch: Patch): string => {
  const path = JSON.stringify(patch.path)
  if (patch.kind === 'item') return `${path}#${patch.item}`
  return patch.kind === 'order' ? `${path}#` : path
}

/** The patches that turn one document into another. */
export function difference(before: unknown, after: unknown, isAtom: IsAtom, path: Path = []): Patch[] {
  if (Object.is(before, after) || isEqual(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(before, after, path)
  if (!isBranch(before, isAtom) || !isBranch(after, isAtom)) return [{ kind: 'set', path, value: after }]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): Patch[] => {
    const below = [...path, name]
    if (after[name] === undefined) return before[name] === undefined ? [] : [{ kind: 'remove', path: below }]
    if (before[name] === undefined) return added(after[name], isAtom, below)
    return difference(before[name], after[name], isAtom, below)
  })
}

function added(value: unknown, isAtom: IsAtom, path: Path): Patch[] {
  const names = isBranch(value, isAtom) ? Object.keys(value).filter((name) => value[name] !== undefined) : []
  if (names.length === 0) return [{ kind: 'set', path, value }]
  return names.flatMap((name) => added((value as Fields)[name], isAtom, [...path, name]))
}

function listDifference(before: readonly unknown[], after: readonly unknown[], path: Path): Patch[] {
  const order = after.map((item) => JSON.stringify(item))
  const [had, has] = [tally(before.map((item) => JSON.stringify(item))), tally(order)]
  const items = [...new Set([...had.keys(), ...has.keys()])]
    .filter((item) => (had.get(item) ?? 0) !== (has.get(item) ?? 0))
    .map((item): Patch => ({ kind: 'item', path, item, count: has.get(item) ?? 0 }))
  return [...items, { kind: 'order', path, order }]
}

/** Adds edits to earlier ones. */
export function merged(patches: Patches, more: readonly Patch[]): Patches {
  if (more.length === 0) return patches
  const all = new Map(patches)
  for (const change of more) {
    const isReplacing = change.kind === 'set' && all.get(keyOf(change))?.kind === 'remove'
    const patch: Patch = isReplacing ? { ...change, isReplacing } : change
    if (patch.kind === 'remove' || (patch.kind === 'set' && !isDefault(patch))) {
      for (const [key, { path }] of all) if (isWithin(path, patch.path)) all.delete(key)
    }
    // a path must follow its parents
    all.delete(keyOf(patch))
    all.set(keyOf(patch), patch)
  }
  return all
}

const isWithin = (path: Path, above: Path) => above.every((name, at) => path[at] === name)

export function applied<T>(base: T, patches: Patches): T {
  let document: unknown = base
  for (const patch of patches.values())
    document = changedAt(document, patch.path, (old) => outcome(old, patch))
  return document as T
}

/** undefined: no value */
function outcome(old: unknown, patch: Patch): unknown {
  if (patch.kind === 'remove') return undefined
  if (patch.kind === 'set') return isDefault(patch) && isFields(old) ? old : patch.value
  if (patch.kind === 'item') return withCount(old, patch)
  return Array.isArray(old) ? ordered(old, patch.order) : old
}

function changedAt(document: unknown, [name, ...below]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(document)
  const fields = isFields(document) ? document : {}
  const value = changedAt(fields[name], below, change)
  if (Object.is(value, fields[name])) return document
  const { [name]: _old, ...rest } = fields
  return value === undefined ? rest : { ...fields, [name]: value }
}

function withCount(old: unknown, { item, count }: { item: string; count: number }): unknown {
  if (!Array.isArray(old) && count === 0) return old
  const list = (Array.isArray(old) ? old : []) as readonly unknown[]
  const at = list.flatMap((one, index) => (JSON.stringify(one) === item ? [index] : []))
  const surplus = new Set(at.slice(count))
  const missing = Array.from({ length: Math.max(0, count - at.length) }, (): unknown => JSON.parse(item))
  return surplus.size + missing.length === 0
    ? old
    : [...list.filter((_, index) => !surplus.has(index)), ...missing]
}

/** Applies the wanted order. Items without a place in it stay behind their predecessor. */
function ordered(list: readonly unknown[], order: readonly string[]): readonly unknown[] {
  const left = list.map((value) => ({ value, item: JSON.stringify(value) }))
  const known = order.flatMap((item) => {
    const at = left.findIndex((one) => one.item === item)
    return at === -1 ? [] : left.splice(at, 1)
  })
  const all = list.map((value) => JSON.stringify(value))
  for (const one of left) {
    const before = all.slice(0, all.indexOf(one.item))
    const behind = known.findLastIndex(({ item }) => before.includes(item))
    known.splice(behind + 1, 0, one)
  }
  const result = known.map(({ value }) => value)
  return isEqual(result, list) ? list : result
}

/** The patches that still change this base; unchanged patches keep their identity. */
export function pending(base: unknown, patches: Patches, isAtom: IsAtom): Patches {
  const left = difference(base, applied(base, patches), isAtom)
  return new Map(
    left.map((patch) => {
      const key = keyOf(patch)
      const known = patches.get(key)
      return [key, known && isEqual(known, patch) ? known : patch]
    }),
  )
}

/** Removes patches that were sent and not edited since then. */
export const withoutSent = (patches: Patches, sent: Patches): Patches =>
  new Map([...patches].filter(([key, patch]) => sent.get(key) !== patch))

function tally(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBranch = (value: unknown, isAtom: IsAtom): value is Fields => isFields(value) && !isAtom(value)
const isDefault = ({ value, isReplacing }: Extract<Patch, { kind: 'set' }>) =>
  !isReplacing && isFields(value) && Object.keys(value).length === 0
