// This file serves tests only, like the packages it needs.
import type { RecordKind } from '@pulse/contract'
import { absent, atOnce, precisionOf, sampledFields } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type HistoryFile, openHistoryFile } from '../db/history/history-file.ts'
import { createSampleStores, type SampleStores } from './store.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const T0 = Date.UTC(2026, 0, 5)

export const figureOf = (kind: RecordKind, name: string) =>
  sampledFields.find((one) => one.kind === kind && one.name === name)!

/** Undefined: no sample at this tick. */
type Stored = number | undefined

/** The same things and samples in history.db alone, and in a store behind a network. */
export class BothStores {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-samples-'))
  readonly #stores: SampleStores
  readonly embedded: HistoryFile
  readonly remote: HistoryFile
  readonly #numbers = new Map<string, number>()

  constructor(url: string) {
    this.#stores = createSampleStores({ url })
    this.embedded = openHistoryFile(path.join(this.#folder, 'embedded.db'), sampledFields, 0)
    this.remote = openHistoryFile(path.join(this.#folder, 'remote.db'), sampledFields, 0, this.#stores)
  }

  /** The number of a figure in both files. */
  field(kind: RecordKind, name: string): number {
    const { fields } = this.embedded.opened()
    return fields.find((one) => one.kind === kind && one.name === name)!.number
  }

  thing = (kind: RecordKind, id: string): number => this.#numbers.get(`${kind} ${id}`)!

  /** Begins things of a kind, with a mark that tells those with the same id apart. */
  begin(at: number, kind: RecordKind, ids: readonly string[], mark = '', alias = (id: string) => id) {
    const wanted = ids.map((id) => ({ kind, id, alias: alias(id), mark }))
    const numbers = this.both(({ things }) => things.identify(at, [], wanted)).embedded
    for (const [n, id] of ids.entries()) this.#numbers.set(`${kind} ${id}`, numbers[n]!)
  }

  end = (at: number, kind: RecordKind, id: string) =>
    this.both(({ things }) => things.identify(at, [{ kind, number: this.thing(kind, id), goneAt: at }], []))

  /** The values of a tick, by kind, id and figure, in the unit of the figure or as a gap. */
  tick(at: number, values: readonly [RecordKind, string, Record<string, Stored | 'silent' | 'stopped'>][]) {
    const columns = new Map<number, { things: number[]; values: number[] }>()
    for (const [kind, id, figures] of values)
      for (const [name, value] of Object.entries(figures)) {
        const field = this.field(kind, name)
        const own = columns.get(field) ?? { things: [], values: [] }
        columns.set(field, own)
        own.things.push(this.thing(kind, id))
        const { toStored } = precisionOf[figureOf(kind, name).unit]
        own.values.push(
          typeof value === 'string' ? absent[value] : value === undefined ? absent.skipped : toStored(value),
        )
      }
    const sent = [...columns].map(([field, own]) => ({ field, ...own }))
    this.both((file) => file.append(at, sent))
  }

  both<T>(use: (file: HistoryFile) => T): { embedded: T; remote: T } {
    return { embedded: use(this.embedded), remote: use(this.remote) }
  }

  compact = (now: number) => atOnce(this.embedded.store.compact(now))

  /** All samples have been sent. */
  sent = () => this.#stores.close()

  close() {
    this.embedded.close()
    this.remote.close()
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }
}
