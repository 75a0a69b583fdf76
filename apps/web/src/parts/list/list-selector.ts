import type { RecordKind, RecordOf } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Direction, isMissing, type SortValue } from '../../ui/table/sort.ts'

/** What a list has to know of a record that it shows. */
export interface Listed {
  /** what it is sorted by; missing ones come last either way */
  value: SortValue
  /** decides between equal values, so that a list never flickers */
  tie: number
  group: string
  /** what it is counted as */
  mark: string
}

export interface ListQuery<
  K extends RecordKind,
  Around extends readonly unknown[],
  Name extends string = string,
> {
  kind: K
  names: RowNames<Name>
  /** what of other kinds matters here; its members are the same objects while they say the same */
  around: (live: LiveReader) => Around
  /** undefined: the record is not shown */
  see: (record: RecordOf<K>, around: Around, id: string) => Listed | undefined
  direction: Direction
  /** fields of the record that nothing here looks at: what changes in no other is not looked at again */
  unread?: ReadonlySet<string>
  /** the groups that have something to show, from top to bottom; without it there are none */
  groups?: (present: readonly string[], around: Around) => readonly string[]
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
  /** it was held, and is no longer in its order */
  waiting: boolean
}

interface Entry extends Listed {
  id: string
}

/**
 * Filters, sorts and groups the records of a kind. It looks again at what changed since last time and sorts the order
 * it found then; while nothing that is shown moved it answers with the same list. While `held` the order stays: what
 * goes leaves, what comes is last.
 */
export function createListSelector<
  K extends RecordKind,
  Around extends readonly unknown[],
  Name extends string,
>(query: ListQuery<K, Around, Name>): (live: LiveReader, held?: boolean) => List<Name> {
  const { kind, names } = query
  const inOrder = byValue(query.direction)
  const matters = query.unread && ((field: string) => !query.unread!.has(field))
  const entries = new Map<string, Entry>()
  let order: Entry[] = []
  let seen: { around: Around; version: number } | undefined
  let list: List<Name> | undefined

  /** Whether what is shown differs from before. */
  const look = (live: LiveReader, around: Around, ids: Iterable<string>): boolean => {
    const records = live.records(kind)
    let moved = false
    for (const id of ids) {
      const record = records.get(id)
      const next = record && query.see(record, around, id)
      const entry = entries.get(id)
      if (!next) {
        if (entries.delete(id)) moved = true
      } else if (!entry) {
        const added: Entry = { ...next, id }
        entries.set(id, added)
        order.push(added)
        moved = true
      } else if (isOther(entry, next)) {
        Object.assign(entry, next)
        moved = true
      }
    }
    return moved
  }

  return (live, held = false) => {
    const around = query.around(live)
    const changed =
      seen && sameList(seen.around, around) ? live.changedSince(kind, seen.version, matters) : undefined
    seen = { around, version: live.version(kind) }
    const moved = look(live, around, changed ?? new Set([...entries.keys(), ...live.ids(kind)]))
    if (list && !moved && (held || !list.waiting)) return list

    if (order.length !== entries.size) order = order.filter((entry) => entries.get(entry.id) === entry)
    if (!held || !list) order.sort(inOrder)
    const next: List<Name> = {
      rows: query.groups
        ? underHeads(order, names, (present) => query.groups!(present, around))
        : order.map(rowOf(names)),
      marks: countMarks(order),
      waiting: held && !isSorted(order, inOrder),
    }
    list = list ? keepSame(list, next) : next
    return list
  }
}

const isOther = (a: Listed, b: Listed): boolean =>
  !Object.is(a.value, b.value) || a.mark !== b.mark || a.group !== b.group || a.tie !== b.tie

const rowOf =
  <Name extends string>(names: RowNames<Name>) =>
  ({ id }: Entry): ListRow<Name> =>
    `${names.record}:${id}`

function byValue(direction: Direction): (a: Entry, b: Entry) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => {
    const [one, other] = [isMissing(a.value), isMissing(b.value)]
    if (one !== other) return one ? 1 : -1
    const order = one ? 0 : sign * compareValues(a.value!, b.value!)
    return order || a.tie - b.tie || (a.id < b.id ? -1 : 1)
  }
}

function isSorted(order: readonly Entry[], compare: (a: Entry, b: Entry) => number): boolean {
  for (let at = 1; at < order.length; at++) if (compare(order[at - 1]!, order[at]!) > 0) return false
  return true
}

function underHeads<Name extends string>(
  order: readonly Entry[],
  names: RowNames<Name>,
  groups: (present: readonly string[]) => readonly string[],
): ListRow<Name>[] {
  const members = Map.groupBy(order, ({ group }) => group)
  return groups([...members.keys()]).flatMap((group): ListRow<Name>[] => [
    `${names.group}:${group}`,
    ...(members.get(group) ?? []).map(rowOf(names)),
  ])
}

function countMarks(order: readonly Entry[]): ReadonlyMap<string, number> {
  const marks = new Map<string, number>()
  for (const { mark } of order) marks.set(mark, (marks.get(mark) ?? 0) + 1)
  return marks
}

/** What says the same as before is the same object as before. */
function keepSame<Name extends string>(before: List<Name>, next: List<Name>): List<Name> {
  const rows = sameList(before.rows, next.rows) ? before.rows : next.rows
  const marks = sameList([...before.marks].flat(), [...next.marks].flat()) ? before.marks : next.marks
  const isSame = rows === before.rows && marks === before.marks && next.waiting === before.waiting
  return isSame ? before : { rows, marks, waiting: next.waiting }
}
