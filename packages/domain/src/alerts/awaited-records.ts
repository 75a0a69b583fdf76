import type { AnyRecord, RecordKind } from '@pulse/contract'
import { recordName } from './tracked.ts'

/** Records that wait for another record before they can be evaluated. */
export class AwaitedRecords {
  readonly #byAwaited = new Map<string, Set<string>>()
  readonly #awaited = new Map<string, string>()

  /** The record `name` waits for one other record at a time. */
  add(kind: RecordKind, record: string, name: string): void {
    const awaited = recordName(kind, record)
    this.#awaited.set(name, awaited)
    const those = this.#byAwaited.get(awaited)
    if (those) those.add(name)
    else this.#byAwaited.set(awaited, new Set([name]))
  }

  /** Returns and removes the records that waited for one of these. */
  take(kind: RecordKind, put: ReadonlyMap<string, AnyRecord>): string[] {
    if (this.#byAwaited.size === 0) return []
    return [...put.keys()].flatMap((key) => {
      const awaited = recordName(kind, key)
      const those = this.#byAwaited.get(awaited)
      this.#byAwaited.delete(awaited)
      for (const name of those ?? []) this.#awaited.delete(name)
      return [...(those ?? [])]
    })
  }

  /** The waiting record was removed. */
  forget(name: string): void {
    const awaited = this.#awaited.get(name)
    if (awaited === undefined) return
    this.#awaited.delete(name)
    const those = this.#byAwaited.get(awaited)
    those?.delete(name)
    if (those?.size === 0) this.#byAwaited.delete(awaited)
  }

  get size(): number {
    return this.#byAwaited.size
  }
}
