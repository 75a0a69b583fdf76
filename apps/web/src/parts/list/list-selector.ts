import type { RecordKind, RecordOf } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Direction, isMissing, type SortValue } from '../../ui/table/sort.ts'

/** A record in a list. */
export interface ListItem {
  /** the sort value; missing values sort last in both directions */
  value: SortValue
  /** category for the counts */
  tiebreaker: string | number
  group: string
  /** the category it is counted in */
  category: string
  /** counted, but without a row */
  countOnly?: boolean
}

/** Versioned records. */
export interface ListSource<R> {
  readonly records: ReadonlyMap<string, R>
  readonly version: number
  /** as in the store; undefined if all records may have changed */
  changedSince(version: number, isRelevant?: (field: string) => boolean): readonly string[] | undefined
}

interface Query<R, Context extends readonly unknown[], Name extends string> {
  names: RowNames<Name>
  /** input of the query in addition to the records; an unchanged member keeps its identity */
  context: (live: LiveReader) => Context
  /** undefined excludes the record */
  toItem: (record: R, context: Context, id: string) => ListItem | undefined
  direction: Direction
  /** fields that `toItem` does not read: a record with changes only in these is not evaluated again */
  ignoredFields?: ReadonlySet<string>
  /** orders the groups with members; without it the list is not grouped */
  groups?: (present: readonly string[], context: Context) => readonly string[]
}

/** A list of the records of one kind. */
export interface ListQuery<
  K extends RecordKind,
  Context extends readonly unknown[],
  Name extends string = string,
> extends Query<RecordOf<K>, Context, Name> {
  kind: K
}

/** A list of records that a page derives from several kinds. */
export interface SourceQuery<
  R,
  Context extends readonly unknown[],
  Name extends string = string,
> extends Query<R, Context, Name> {
  from: (live: LiveReader) => ListSource<R>
}

/** The prefixes of row keys: record rows with the store id, and group heads. */
export interface RowNames<Name extends string> {
  record: Name
  group: Name
}

export type ListRow<Name extends string = string> = `${Name}:${string}`

export interface List<Name extends string = string> {
  /** from top to bottom */
  rows: readonly ListRow<Name>[]
  /** records by category */
  counts: ReadonlyMap<string, number>
  /** rows by group */
  groupSizes: ReadonlyMap<string, number>
  /** the order was kept and is outdated */
  orderPending: boolean
}

interface Entry<Name extends string> extends ListItem {
  id: string
  /** the row key, built once, because building thousands of keys takes as long as sorting them */
  row: ListRow<Name>
  /** position of its value in the order of all values; NaN without a value */
  rank: number
}

type Ranked = Omit<Entry<string>, 'row'>

export function createListSelector<
  K extends RecordKind,
  Context extends readonly unknown[],
  Name extends string,
>({ kind, ...query }: ListQuery<K, Context, Name>): (live: LiveReader, keepOrder?: boolean) => List<Name> {
  const from = (live: LiveReader): ListSource<RecordOf<K>> => ({
    records: live.records(kind),
    version: live.version(kind),
    changedSince: (version, isRelevant) => live.changedSince(kind, version, isRelevant),
  })
  return createSourceSelector({ ...query, from })
}

/**
 * Filters, sorts and groups records incrementally. Only changed records are evaluated again, and an unchanged
 * list keeps its identity. With `keepOrder` the order stays: removed records disappear, new ones are
 * appended.
 */
export function createSourceSelector<R, Context extends readonly unknown[], Name extends string>(
  query: SourceQuery<R, Context, Name>,
): (live: LiveReader, keepOrder?: boolean) => List<Name> {
  const { names } = query
  const compareEntries = comparatorFor(query.direction)
  const isRelevant = query.ignoredFields && ((field: string) => !query.ignoredFields!.has(field))
  const entries = new Map<string, Entry<Name>>()
  let order: Entry<Name>[] = []
  let last: { context: Context; version: number } | undefined
  let list: List<Name> | undefined

  /** Evaluates records. `reorder`: rows or their order may differ. `recount`: only the counts may differ. */
  const evaluate = (records: ReadonlyMap<string, R>, context: Context, ids: Iterable<string>) => {
    let reorder = false
    let recount = false
    for (const id of ids) {
      const record = records.get(id)
      const next = record && query.toItem(record, context, id)
      const entry = entries.get(id)
      if (!next) {
        if (entries.delete(id)) reorder = true
      } else if (!entry) {
        const { value, tiebreaker, group, category, countOnly = false } = next
        const row: ListRow<Name> = `${names.record}:${id}`
        const added: Entry<Name> = {
          value,
          tiebreaker,
          group,
          category,
          countOnly,
          id,
          row,
          rank: Number.NaN,
        }
        entries.set(id, added)
        order.push(added)
        reorder = true
      } else {
        if (affectsOrder(entry, next)) reorder = true
        else if (entry.category === next.category) continue
        recount = true
        Object.assign(entry, { countOnly: false }, next)
      }
    }
    return { reorder, recount }
  }

  return (live, keepOrder = false) => {
    const context = query.context(live)
    const { records, version, changedSince } = query.from(live)
    const isSameContext = last !== undefined && sameList(last.context, context)
    const changed = isSameContext ? changedSince(last!.version, isRelevant) : undefined
    last = { context, version }
    const outcome = evaluate(records, context, changed ?? allIds(entries, records))
    // a change of the context alone may reorder the groups
    const reorder = outcome.reorder || (!isSameContext && query.groups !== undefined)
    if (list && !reorder && (keepOrder || !list.orderPending)) {
      return outcome.recount
        ? (list = reuseUnchanged(list, { ...list, counts: countCategories(order) }))
        : list
    }

    if (order.length !== entries.size) order = order.filter((entry) => entries.get(entry.id) === entry)
    rankEntries(order)
    if (!keepOrder || !list) order.sort(compareEntries)
    const listed = order.some(({ countOnly }) => countOnly)
      ? order.filter(({ countOnly }) => !countOnly)
      : order
    const members = query.groups ? Map.groupBy(listed, ({ group }) => group) : noMembers
    const next: List<Name> = {
      rows: query.groups
        ? groupRows(members, names, query.groups([...members.keys()], context))
        : listed.map(({ row }) => row),
      counts: countCategories(order),
      groupSizes: new Map([...members].map(([group, { length }]) => [group, length])),
      orderPending: keepOrder && !isSorted(order, compareEntries),
    }
    list = list ? reuseUnchanged(list, next) : next
    return list
  }
}

/**
 * The ids of both maps, each once. Removed ones come first, because the caller deletes them while it
 * iterates.
 */
function* allIds(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): Generator<string> {
  for (const id of before.keys()) if (!now.has(id)) yield id
  yield* now.keys()
}

const affectsOrder = (a: ListItem, b: ListItem): boolean =>
  !Object.is(a.value, b.value) ||
  a.group !== b.group ||
  a.tiebreaker !== b.tiebreaker ||
  (a.countOnly ?? false) !== (b.countOnly ?? false)

/** Sets the rank of each entry. Each distinct text is compared once. Numbers are their own rank. */
function rankEntries(entries: readonly Ranked[]): void {
  const texts = new Set<string>()
  for (const { value } of entries) if (typeof value === 'string' && value !== '') texts.add(value)
  // numbers mixed with texts sort as texts
  if (texts.size > 0) for (const { value } of entries) if (typeof value === 'number') texts.add(String(value))
  const ranks = new Map<string, number>()
  let rank = 0
  let previous: string | undefined
  for (const text of [...texts].sort(compareValues)) {
    if (previous === undefined || compareValues(previous, text) !== 0) rank++
    ranks.set((previous = text), rank)
  }
  for (const entry of entries) {
    const { value } = entry
    if (isMissing(value)) entry.rank = Number.NaN
    else entry.rank = texts.size === 0 ? Number(value) : ranks.get(String(value))!
  }
}

function comparatorFor(direction: Direction): (a: Ranked, b: Ranked) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => {
    const order = sign * (a.rank - b.rank)
    if (order) return order
    // NaN: at least one of them has no rank
    if (order !== 0 && Number.isNaN(a.rank) !== Number.isNaN(b.rank)) return Number.isNaN(a.rank) ? 1 : -1
    return compareValues(a.tiebreaker, b.tiebreaker) || (a.id < b.id ? -1 : 1)
  }
}

function isSorted(order: readonly Ranked[], compare: (a: Ranked, b: Ranked) => number): boolean {
  for (let at = 1; at < order.length; at++) if (compare(order[at - 1]!, order[at]!) > 0) return false
  return true
}

const noMembers: ReadonlyMap<string, readonly never[]> = new Map()

function groupRows<Name extends string>(
  members: ReadonlyMap<string, readonly Pick<Entry<Name>, 'row'>[]>,
  names: RowNames<Name>,
  groups: readonly string[],
): ListRow<Name>[] {
  const rows: ListRow<Name>[] = []
  for (const group of groups) {
    rows.push(`${names.group}:${group}`)
    for (const { row } of members.get(group) ?? []) rows.push(row)
  }
  return rows
}

function countCategories(order: readonly ListItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category } of order) counts.set(category, (counts.get(category) ?? 0) + 1)
  return counts
}

/** Keeps the identity of unchanged parts. */
function reuseUnchanged<Name extends string>(before: List<Name>, next: List<Name>): List<Name> {
  const rows = sameList(before.rows, next.rows) ? before.rows : next.rows
  const counts = sameCounts(before.counts, next.counts) ? before.counts : next.counts
  const groupSizes = sameCounts(before.groupSizes, next.groupSizes) ? before.groupSizes : next.groupSizes
  const isSame =
    rows === before.rows &&
    counts === before.counts &&
    groupSizes === before.groupSizes &&
    next.orderPending === before.orderPending
  return isSame ? before : { rows, counts, groupSizes, orderPending: next.orderPending }
}

const sameCounts = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean =>
  sameList([...a].flat(), [...b].flat())
