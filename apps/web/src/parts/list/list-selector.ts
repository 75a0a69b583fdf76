import type { RecordKind, RecordOf } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Direction, isMissing, type SortValue } from '../../ui/table/sort.ts'

/** What a list has to know of a record that it shows. */
export interface Listed {
  /** what it is sorted by; missing ones come last either way */
  value: SortValue
  /** decides between equal values, so that a list never flickers */
  tie: string | number
  group: string
  /** what it is counted as */
  mark: string
  /** it counts, but has no row */
  rowless?: boolean
}

/** Records that come, change and go. */
export interface ListSource<R> {
  readonly records: ReadonlyMap<string, R>
  readonly version: number
  /** as in the store: undefined when all may have changed */
  changedSince(version: number, matters?: (field: string) => boolean): readonly string[] | undefined
}

interface Query<R, Around extends readonly unknown[], Name extends string> {
  names: RowNames<Name>
  /** what of other kinds matters here; its members are the same objects while they say the same */
  around: (live: LiveReader) => Around
  /** undefined: the record is not shown */
  see: (record: R, around: Around, id: string) => Listed | undefined
  direction: Direction
  /** fields of the record that nothing here looks at: what changes in no other is not looked at again */
  unread?: ReadonlySet<string>
  /** the groups that have something to show, from top to bottom; without it there are none */
  groups?: (present: readonly string[], around: Around) => readonly string[]
}

/** A list of the records of a kind. */
export interface ListQuery<
  K extends RecordKind,
  Around extends readonly unknown[],
  Name extends string = string,
> extends Query<RecordOf<K>, Around, Name> {
  kind: K
}

/** A list of what a page makes of several kinds. */
export interface SourceQuery<
  R,
  Around extends readonly unknown[],
  Name extends string = string,
> extends Query<R, Around, Name> {
  from: (live: LiveReader) => ListSource<R>
}

/** What the rows of a list are called: a record by its id in the store, and the head of a group. */
export interface RowNames<Name extends string> {
  record: Name
  group: Name
}

export type ListRow<Name extends string = string> = `${Name}:${string}`

export interface List<Name extends string = string> {
  /** from top to bottom */
  rows: readonly ListRow<Name>[]
  /** how many of each mark are shown */
  marks: ReadonlyMap<string, number>
  /** how many rows stand below the head of each group */
  sizes: ReadonlyMap<string, number>
  /** it was held, and is no longer in its order */
  waiting: boolean
}

interface Entry<Name extends string> extends Listed {
  id: string
  /** what its row is called, made once: thousands of names take as long as sorting them */
  row: ListRow<Name>
  /** the place of its value among all; NaN while it has none */
  rank: number
}

type Ranked = Omit<Entry<string>, 'row'>

export function createListSelector<
  K extends RecordKind,
  Around extends readonly unknown[],
  Name extends string,
>({ kind, ...query }: ListQuery<K, Around, Name>): (live: LiveReader, held?: boolean) => List<Name> {
  const from = (live: LiveReader): ListSource<RecordOf<K>> => ({
    records: live.records(kind),
    version: live.version(kind),
    changedSince: (version, matters) => live.changedSince(kind, version, matters),
  })
  return createSourceSelector({ ...query, from })
}

/**
 * Filters, sorts and groups records. It looks again at what changed since last time and sorts the order
 * it found then; while nothing that is shown moved it answers with the same list. While `held` the order stays: what
 * goes leaves, what comes is last.
 */
export function createSourceSelector<R, Around extends readonly unknown[], Name extends string>(
  query: SourceQuery<R, Around, Name>,
): (live: LiveReader, held?: boolean) => List<Name> {
  const { names } = query
  const inOrder = byValue(query.direction)
  const matters = query.unread && ((field: string) => !query.unread!.has(field))
  const entries = new Map<string, Entry<Name>>()
  let order: Entry<Name>[] = []
  let seen: { around: Around; version: number } | undefined
  let list: List<Name> | undefined

  /** Whether what is shown differs from before: its order, or only what it is counted as. */
  const look = (records: ReadonlyMap<string, R>, around: Around, ids: Iterable<string>) => {
    let moved = false
    let marked = false
    for (const id of ids) {
      const record = records.get(id)
      const next = record && query.see(record, around, id)
      const entry = entries.get(id)
      if (!next) {
        if (entries.delete(id)) moved = true
      } else if (!entry) {
        const { value, tie, group, mark, rowless = false } = next
        const row: ListRow<Name> = `${names.record}:${id}`
        const added: Entry<Name> = { value, tie, group, mark, rowless, id, row, rank: Number.NaN }
        entries.set(id, added)
        order.push(added)
        moved = true
      } else {
        if (isElsewhere(entry, next)) moved = true
        else if (entry.mark === next.mark) continue
        marked = true
        Object.assign(entry, { rowless: false }, next)
      }
    }
    return { moved, marked }
  }

  return (live, held = false) => {
    const around = query.around(live)
    const { records, version, changedSince } = query.from(live)
    const isAsBefore = seen !== undefined && sameList(seen.around, around)
    const changed = isAsBefore ? changedSince(seen!.version, matters) : undefined
    seen = { around, version }
    const looked = look(records, around, changed ?? idsOfBoth(entries, records))
    // the order of the groups may follow from what is around them alone
    const moved = looked.moved || (!isAsBefore && query.groups !== undefined)
    if (list && !moved && (held || !list.waiting)) {
      return looked.marked ? (list = keepSame(list, { ...list, marks: countMarks(order) })) : list
    }

    if (order.length !== entries.size) order = order.filter((entry) => entries.get(entry.id) === entry)
    rank(order)
    if (!held || !list) order.sort(inOrder)
    const listed = order.some(({ rowless }) => rowless) ? order.filter(({ rowless }) => !rowless) : order
    const members = query.groups ? Map.groupBy(listed, ({ group }) => group) : noMembers
    const next: List<Name> = {
      rows: query.groups
        ? underHeads(members, names, query.groups([...members.keys()], around))
        : listed.map(({ row }) => row),
      marks: countMarks(order),
      sizes: new Map([...members].map(([group, { length }]) => [group, length])),
      waiting: held && !isSorted(order, inOrder),
    }
    list = list ? keepSame(list, next) : next
    return list
  }
}

/** Each once. Those that are gone come first: they are deleted on the way. */
function* idsOfBoth(
  before: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): Generator<string> {
  for (const id of before.keys()) if (!now.has(id)) yield id
  yield* now.keys()
}

const isElsewhere = (a: Listed, b: Listed): boolean =>
  !Object.is(a.value, b.value) ||
  a.group !== b.group ||
  a.tie !== b.tie ||
  (a.rowless ?? false) !== (b.rowless ?? false)

/** Texts are compared once each, however many records bear them, and numbers need no comparing. */
function rank(entries: readonly Ranked[]): void {
  const texts = new Set<string>()
  for (const { value } of entries) if (typeof value === 'string' && value !== '') texts.add(value)
  // numbers beside texts sort among them
  if (texts.size > 0) for (const { value } of entries) if (typeof value === 'number') texts.add(String(value))
  const places = new Map<string, number>()
  let place = 0
  let before: string | undefined
  for (const text of [...texts].sort(compareValues)) {
    if (before === undefined || compareValues(before, text) !== 0) place++
    places.set((before = text), place)
  }
  for (const entry of entries) {
    const { value } = entry
    if (isMissing(value)) entry.rank = Number.NaN
    else entry.rank = texts.size === 0 ? Number(value) : places.get(String(value))!
  }
}

function byValue(direction: Direction): (a: Ranked, b: Ranked) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => {
    const order = sign * (a.rank - b.rank)
    if (order) return order
    // no number: at least one of them has no place
    if (order !== 0 && Number.isNaN(a.rank) !== Number.isNaN(b.rank)) return Number.isNaN(a.rank) ? 1 : -1
    return compareValues(a.tie, b.tie) || (a.id < b.id ? -1 : 1)
  }
}

function isSorted(order: readonly Ranked[], compare: (a: Ranked, b: Ranked) => number): boolean {
  for (let at = 1; at < order.length; at++) if (compare(order[at - 1]!, order[at]!) > 0) return false
  return true
}

const noMembers: ReadonlyMap<string, readonly never[]> = new Map()

function underHeads<Name extends string>(
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

function countMarks(order: readonly Listed[]): ReadonlyMap<string, number> {
  const marks = new Map<string, number>()
  for (const { mark } of order) marks.set(mark, (marks.get(mark) ?? 0) + 1)
  return marks
}

/** What says the same as before is the same object as before. */
function keepSame<Name extends string>(before: List<Name>, next: List<Name>): List<Name> {
  const rows = sameList(before.rows, next.rows) ? before.rows : next.rows
  const marks = sameCounts(before.marks, next.marks) ? before.marks : next.marks
  const sizes = sameCounts(before.sizes, next.sizes) ? before.sizes : next.sizes
  const isSame =
    rows === before.rows &&
    marks === before.marks &&
    sizes === before.sizes &&
    next.waiting === before.waiting
  return isSame ? before : { rows, marks, sizes, waiting: next.waiting }
}

const sameCounts = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean =>
  sameList([...a].flat(), [...b].flat())
