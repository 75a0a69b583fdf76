import type { AnyRecord, RecordKind } from '@pulse/contract'
import { recordName } from './tracked.ts'

/** Records that can only be judged with another one that is not there yet. */
export class Waiting {
  readonly #byAwaited = new Map<string, Set<string>>()

  /** `name`: the one that waits. */
  add(kind: RecordKind, record: string, name: string): void {
    const awaited = recordName(kind, record)
    const those = this.#byAwaited.get(awaited)
    if (those) those.add(name)
    else this.#byAwaited.set(awaited, new Set([name]))
  }

  /** Who waits no longer, now that these are there. */
  take(kind: RecordKind, put: ReadonlyMap<string, AnyRecord>): string[] {
    if (this.#byAwaited.size === 0) return []
    return [...put.keys()].flatMap((key) => {
      const awaited = recordName(kind, key)
      const those = this.#byAwaited.get(awaited)
      this.#byAwaited.delete(awaited)
      return [...(those ?? [])]
    })
  }

  get size(): number {
    return this.#byAwaited.size
  }
}
