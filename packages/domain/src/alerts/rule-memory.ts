import type { RecordKind } from '@pulse/contract'
import type { RuleMemory } from './evaluation.ts'
import type { StoredMemory } from './stored.ts'
import { recordName } from './tracked.ts'

/** What rules keep about records: most of them nothing. */
export class KeptByRules implements RuleMemory {
  readonly #kept = new Map<string, Map<string, unknown>>()

  get(kind: RecordKind, record: string, name: string): unknown {
    return this.#kept.size === 0 ? undefined : this.#kept.get(recordName(kind, record))?.get(name)
  }

  set(kind: RecordKind, record: string, name: string, value: unknown): void {
    const key = recordName(kind, record)
    const own = this.#kept.get(key)
    if (value !== undefined) {
      if (own) own.set(name, value)
      else this.#kept.set(key, new Map([[name, value]]))
    } else if (own?.delete(name) && own.size === 0) this.#kept.delete(key)
  }

  /** The record is gone. */
  forget(kind: RecordKind, record: string): void {
    this.#kept.delete(recordName(kind, record))
  }

  get size(): number {
    return this.#kept.size
  }

  store(): StoredMemory['rules'] {
    return Object.fromEntries([...this.#kept].map(([key, own]) => [key, Object.fromEntries(own)]))
  }

  restore(stored: StoredMemory['rules']): void {
    for (const [key, own] of Object.entries(stored)) this.#kept.set(key, new Map(Object.entries(own)))
  }
}
