import { type AnyRecord, kindOf, type Meta, type PlainState, type RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import { atOnce, type InSteps, sortedInSteps, STEP } from './in-steps.ts'
import { plainFormOf } from './plain-forms.ts'
import { comparison, type PlainList, plainLists, wordIn } from './plain-lists.ts'

/** The JSON of records that have not changed since: most of a state is the same a second later. */
export type KeptBodies = WeakMap<AnyRecord, string>

/**
 * The documented form of the state, names, nesting and units of `/api/state`, `initialState` and `rawData`, as pieces of
 * JSON. All of it is the state as it was when this was called, however long the steps take.
 */
export function plainJson(
  tables: Tables,
  meta: Meta,
  nowMs: number,
  kept: KeptBodies = new WeakMap(),
): InSteps<string[]> {
  const lists = plainLists(tables)
  const itself = aboutItself(tables.sources, meta, nowMs)
  const answeredAt = new Map([...tables.sources].map(([id, { lastSeen = 0 }]) => [id, lastSeen]))

  function toJson(kind: RecordKind, record: AnyRecord, within: string): string {
    const { body, times } = plainFormOf(kind)
    let text = kept.get(record)
    if (text === undefined) kept.set(record, (text = JSON.stringify(body(record)).slice(0, -1)))
    const moment = { nowMs, answeredAt: answeredAt.get(wordIn(record, 'source')) ?? 0 }
    const more = times ? JSON.stringify(times(record, moment)).slice(1, -1) : ''
    return `${text}${more && `,${more}`}${within}}`
  }

  /** Of one kind, the lists that lie in its records, as a text by the id of the record. */
  function* nestedIn(parent: RecordKind): InSteps<(id: string) => string> {
    const nested: { name: string; texts: Map<string, string[]> }[] = []
    for (const { kind, name, records } of lists) {
      const { within } = kindOf(kind).plain!
      if (within?.kind !== parent) continue
      const texts = new Map<string, string[]>()
      nested.push({ name, texts })
      for (const [n, record] of records.entries()) {
        if (n % STEP === STEP - 1) yield
        const owner = wordIn(record, within.by)
        const those = texts.get(owner)
        if (those) those.push(toJson(kind, record, ''))
        else texts.set(owner, [toJson(kind, record, '')])
      }
    }
    return (id) => nested.map(({ name, texts }) => `,"${name}":[${(texts.get(id) ?? []).join(',')}]`).join('')
  }

  function* listJson({ kind, records }: PlainList): InSteps<string[]> {
    const within = yield* nestedIn(kind)
    const sorted = yield* sortedInSteps(records, comparison(kindOf(kind).plain!.order))
    const pieces = ['[']
    for (let from = 0; from < sorted.length; from += STEP) {
      const some = sorted.slice(from, from + STEP)
      pieces.push(
        (from > 0 ? ',' : '') + some.map((one) => toJson(kind, one, within(wordIn(one, 'id')))).join(','),
      )
      yield
    }
    return [...pieces, ']']
  }

  function* whole(): InSteps<string[]> {
    const fields = new Map<string, string[]>()
    const groups = new Map<string, Map<string, string[]>>()
    for (const list of lists) {
      if (kindOf(list.kind).plain!.within) continue
      const [name, inner] = list.name.split('.') as [string, string?]
      const pieces = yield* listJson(list)
      if (inner === undefined) fields.set(name, pieces)
      else groups.set(name, (groups.get(name) ?? new Map<string, string[]>()).set(inner, pieces))
    }
    for (const [name, inner] of groups) fields.set(name, objectJson(inner))
    // The documented state has them twice.
    const backups = { pve: 'pveBackups', pbs: 'pbsBackups', pmg: 'pmgBackups' }
    const again = Object.entries(backups).map(([name, field]) => [name, fields.get(field)!] as const)
    fields.set('backups', objectJson(new Map(again)))
    for (const [name, value] of Object.entries(itself)) fields.set(name, [JSON.stringify(value)])
    return objectJson(fields)
  }

  return whole()
}

function objectJson(fields: ReadonlyMap<string, readonly string[]>): string[] {
  const pieces: string[] = []
  for (const [name, value] of fields) pieces.push(`${pieces.length > 0 ? ',' : '{'}"${name}":`, ...value)
  return [...pieces, '}']
}

/** The same as an object, in one go. */
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
