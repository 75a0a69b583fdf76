import type { RecordKind } from '@pulse/contract'
import type { RuleMemory } from './evaluation.ts'
import type { StoredMemory } from './stored.ts'
import { readRecordName, recordName } from './tracked.ts'

/** The values that rules store about records. Most rules store none. */
export class KeptByRules implements RuleMemory {
  readonly #kept = new Map<RecordKind, Map<string, Map<string, unknown>>>()

  get(kind: RecordKind, record: string, name: string): unknown {
    return this.#kept.get(kind)?.get(record)?.get(name)
  }

  set(kind: RecordKind, record: string, name: string, value: unknown): void {
    if (value === undefined) {
      const own = this.#kept.get(kind)?.get(record)
      if (own?.delete(name) && own.size === 0) this.forget(kind, record)
      return
    }
    const ofKind = this.#kept.get(kind) ?? new Map<string, Map<string, unknown>>()
    this.#kept.set(kind, ofKind)
    ofKind.set(record, (ofKind.get(record) ?? new Map<string, unknown>()).set(name, value))
  }

  /** The record was removed. */
  forget(kind: RecordKind, record: string): void {
    this.#kept.get(kind)?.delete(record)
  }

  /** Keeps only the values of existing records. */
  keepOnly(isThere: (kind: RecordKind, record: string) => boolean | undefined): void {
    for (const [kind, records] of this.#kept)
      for (const record of records.keys()) if (!isThere(kind, record)) records.delete(record)
  }

  get size(): number {
    return [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0)
  }

  store(): StoredMemory['rules'] {
    return Object.fromEntries(
      [...this.#kept].flatMap(([kind, records]) =>
        [...records].map(([record, own]) => [recordName(kind, record), Object.fromEntries(own)]),
      ),
    )
  }

  restore(stored: StoredMemory['rules']): void {
    for (const [key, own] of Object.entries(stored)) {
      const { kind, record } = readRecordName(key)
      for (const [name, value] of Object.entries(own)) this.set(kind, record, name, value)
    }
  }
}
