import {
  type AnyRecord,
  kindOf,
  type Meta,
  type PlainState,
  type RecordKind,
  recordKinds,
} from '@pulse/contract'
import type { OnFault } from '../derive/derivation.ts'
import { raise } from '../raise.ts'
import type { Tables } from '../state/tables.ts'
import { atOnce, type InSteps, sortedInSteps, STEP } from './in-steps.ts'
import { plainFormOf } from './plain-forms.ts'
import { comparison, listsInSteps, wordIn } from './plain-lists.ts'

/** A part of the documented state. `isKept`: it is the cached one from the last write. */
export interface PlainPart<T> {
  pieces: readonly T[]
  isKept: boolean
}

/** One snapshot of the documented state. */
export interface PlainDocument<T> {
  /** the whole document, in order */
  parts: PlainPart<T>[]
  /** JSON of one of its lists, by path such as `pveBackups.guestSnapshots` */
  list(path: string): readonly T[]
}

/** Writes the documented state repeatedly, with a cache for unchanged parts. */
export interface PlainWriter<T> {
  /**
   * Names, nesting and units of `/api/state`, `initialState` and `rawData`. The result is the state at the
   * time of the call, however long the steps take.
   */
  write(tables: Tables, meta: Meta, nowMs: number): InSteps<PlainDocument<T>>
  /** These kinds have changed. */
  changed(kinds: Iterable<RecordKind>): void
  /** Clears the cache. */
  forget(): void
}

/** By list name. */
type Lists<T> = ReadonlyMap<string, PlainPart<T>>

/** A kind at the time of the call. */
interface Held<T> {
  kind: RecordKind
  version: number
  kept: Lists<T> | undefined
  /** absent when its lists are cached */
  records: readonly AnyRecord[]
}

/**
 * `encode` converts each chunk of JSON at once. With `onFault`, records that cannot be written are left out; it gets the first
 * error of each document.
 */
export function createPlainWriter<T>(encode: (text: string) => T, onFault: OnFault = raise): PlainWriter<T> {
  const versions = new Map<RecordKind, number>()
  const keptLists = new Map<RecordKind, { version: number; lists: Lists<T> }>()
  /** JSON of unchanged records, because most of a state is the same a second later */
  let bodies = new Map<AnyRecord, string>()

  const versionOf = (kind: RecordKind) => versions.get(kind) ?? 0

  function write(tables: Tables, meta: Meta, nowMs: number): InSteps<PlainDocument<T>> {
    const itself = aboutItself(tables.sources, meta, nowMs)
    const answeredAt = new Map([...tables.sources].map(([id, { lastSeen = 0 }]) => [id, lastSeen]))
    const held = recordKinds()
      .filter((kind) => kindOf(kind).plain)
      .map((kind): Held<T> => {
        const version = versionOf(kind)
        const last = keptLists.get(kind)
        const kept = last?.version === version ? last.lists : undefined
        return { kind, version, kept, records: kept ? [] : [...tables[kind].values()] }
      })
    const [before, now] = [bodies, new Map<AnyRecord, string>()]
    let hasFailed = false

    /** Undefined: it cannot be written. */
    function written(kind: RecordKind, record: AnyRecord, within: string): string | undefined {
      try {
        return toJson(kind, record, within)
      } catch (error) {
        if (!hasFailed) onFault(error)
        hasFailed = true
        return undefined
      }
    }

    function bodyOf(kind: RecordKind, record: AnyRecord): string {
      const text = before.get(record) ?? bodyJson(kind, record)
      now.set(record, text)
      return text
    }

    function toJson(kind: RecordKind, record: AnyRecord, within: string): string {
      const { times } = plainFormOf(kind)
      if (!times) return `${bodyJson(kind, record)}${within}}`
      const moment = { nowMs, answeredAt: answeredAt.get(wordIn(record, 'source')) ?? 0 }
      const more = JSON.stringify(times(record, moment)).slice(1, -1)
      return `${bodyOf(kind, record)}${more && `,${more}`}${within}}`
    }

    /** The lists nested in the records of a kind, as text by record id. */
    function* nestedIn(parent: RecordKind): InSteps<(id: string) => string> {
      const nested: { name: string; texts: Map<string, string[]> }[] = []
      for (const { kind, records } of held) {
        const { within } = kindOf(kind).plain!
        if (within?.kind !== parent) continue
        for (const [name, some] of yield* listsInSteps(kind, records)) {
          const texts = new Map<string, string[]>()
          nested.push({ name, texts })
          for (const [n, record] of some.entries()) {
            if (n % STEP === STEP - 1) yield
            const owner = wordIn(record, within.by)
            const text = written(kind, record, '')
            if (text === undefined) continue
            const those = texts.get(owner)
            if (those) those.push(text)
            else texts.set(owner, [text])
          }
        }
      }
      return (id) =>
        nested.map(({ name, texts }) => `,"${name}":[${(texts.get(id) ?? []).join(',')}]`).join('')
    }

    function* listJson(kind: RecordKind, records: readonly AnyRecord[]): InSteps<T[]> {
      const within = yield* nestedIn(kind)
      const sorted = yield* sortedInSteps(records, comparison(kindOf(kind).plain!.order))
      const pieces: T[] = []
      let isEmpty = true
      for (let from = 0; from < sorted.length; from += STEP) {
        const texts = sorted
          .slice(from, from + STEP)
          .map((one) => written(kind, one, within(wordIn(one, 'id'))))
          .filter((one) => one !== undefined)
        const begin = from === 0 ? '[' : isEmpty || texts.length === 0 ? '' : ','
        const isLast = from + STEP >= sorted.length
        pieces.push(encode(`${begin}${texts.join(',')}${isLast ? ']' : ''}`))
        isEmpty &&= texts.length === 0
        yield
      }
      return pieces.length > 0 ? pieces : [encode('[]')]
    }

    function* listsOf({ kind, version, kept, records }: Held<T>): InSteps<Lists<T>> {
      if (kept) return kept
      const lists = new Map<string, PlainPart<T>>()
      for (const [name, some] of yield* listsInSteps(kind, records)) {
        const pieces = yield* listJson(kind, some)
        lists.set(name, { pieces, isKept: isTimeless(kind) && pieces.length > 1 })
      }
      if (isTimeless(kind)) keptLists.set(kind, { version, lists })
      return lists
    }

    function* whole(): InSteps<PlainDocument<T>> {
      const all = new Map<string, PlainPart<T>>()
      const fields = new Map<string, Field<T>>()
      const groups = new Map<string, Map<string, Field<T>>>()
      for (const one of held) {
        if (kindOf(one.kind).plain!.within) continue
        for (const [path, list] of yield* listsOf(one)) {
          all.set(path, list)
          const [name, inner] = path.split('.') as [string, string?]
          if (inner === undefined) fields.set(name, list)
          else groups.set(name, (groups.get(name) ?? new Map<string, Field<T>>()).set(inner, list))
        }
      }
      for (const [name, inner] of groups) fields.set(name, inner)
      // The documented state contains them twice.
      const backups = { pve: 'pveBackups', pbs: 'pbsBackups', pmg: 'pmgBackups' }
      fields.set(
        'backups',
        new Map(Object.entries(backups).map(([name, field]) => [name, fields.get(field)!])),
      )
      for (const [name, value] of Object.entries(itself)) fields.set(name, JSON.stringify(value))
      bodies = now
      return {
        parts: laidOut(fields, encode),
        list(path) {
          const list = all.get(path)
          if (!list) throw new Error(`the documented state has no list ${path}`)
          return list.pieces
        },
      }
    }

    return whole()
  }

  return {
    write,
    changed(kinds) {
      for (const kind of kinds) versions.set(kind, versionOf(kind) + 1)
    },
    forget() {
      keptLists.clear()
      bodies = new Map()
    },
  }
}

/** Without the closing brace. */
const bodyJson = (kind: RecordKind, record: AnyRecord): string =>
  JSON.stringify(plainFormOf(kind).body(record)).slice(0, -1)

/** Its lists change with its records only. */
const isTimeless = (kind: RecordKind): boolean =>
  !plainFormOf(kind).times && !recordKinds().some((other) => kindOf(other).plain?.within?.kind === kind)

/** A field of an object: JSON, a list, or another object. */
type Field<T> = string | PlainPart<T> | ReadonlyMap<string, Field<T>>

/** In order; joins everything between two cached parts. */
function laidOut<T>(fields: ReadonlyMap<string, Field<T>>, encode: (text: string) => T): PlainPart<T>[] {
  const parts: PlainPart<T>[] = []
  let open: T[] = []
  let text = ''
  function close() {
    if (text) open.push(encode(text))
    text = ''
  }
  function add(object: ReadonlyMap<string, Field<T>>) {
    let separator = '{'
    for (const [name, field] of object) {
      text += `${separator}"${name}":`
      separator = ','
      if (typeof field === 'string') text += field
      else if (!('pieces' in field)) add(field)
      else {
        close()
        if (field.isKept) {
          parts.push({ pieces: open, isKept: false }, field)
          open = []
        } else for (const piece of field.pieces) open.push(piece)
      }
    }
    text += '}'
  }
  add(fields)
  close()
  return [...parts, { pieces: open, isKept: false }]
}

/** The documented form of the state as chunks of JSON. */
export function* plainJson(tables: Tables, meta: Meta, nowMs: number): InSteps<string[]> {
  const { parts } = yield* createPlainWriter((text) => text).write(tables, meta, nowMs)
  return parts.flatMap(({ pieces }) => pieces)
}

/** The same as an object, in one step. */
export function toPlain(tables: Tables, meta: Meta, nowMs: number): PlainState {
  return JSON.parse(atOnce(plainJson(tables, meta, nowMs)).join('')) as PlainState
}

type AboutItself = Pick<PlainState, 'metrics' | 'performance' | 'connectionHealth' | 'stats' | 'lastUpdate'>

function aboutItself(sources: Tables['sources'], meta: Meta, nowMs: number): AboutItself {
  const all = [...sources.values()]
  return {
    metrics: [],
    performance: meta.performance,
    connectionHealth: Object.fromEntries(
      all.filter(({ health }) => health !== 'unknown').map(({ name, health }) => [name, health !== 'error']),
    ),
    stats: plainStats(meta, nowMs),
    lastUpdate: Math.max(0, ...all.map(({ lastSeen = 0 }) => lastSeen)),
  }
}

export function plainStats({ stats }: Meta, nowMs: number): PlainState['stats'] {
  return { ...stats, uptime: Math.max(0, (nowMs - Date.parse(stats.startTime)) / 1000) }
}
