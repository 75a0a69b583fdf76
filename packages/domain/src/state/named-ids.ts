import type { RecordKind } from '@pulse/contract'

/**
 * The ids that a base has named so far, by kind. It has no ids but those of records that the base has put and not removed
 * again, so it is never larger than what the receiver has.
 */
export class NamedIds {
  readonly #kinds = new Map<RecordKind, Set<string>>()

  note(kind: RecordKind, put: Iterable<readonly [id: string, record: unknown]>, remove: Iterable<string>) {
    const ids = this.#kinds.get(kind) ?? new Set()
    this.#kinds.set(kind, ids)
    for (const [id] of put) ids.add(id)
    for (const id of remove) ids.delete(id)
  }

  /** also those of which the base has no records */
  kinds(): Iterable<RecordKind> {
    return this.#kinds.keys()
  }

  /** Those of the ids that the base does not have. */
  missingOf(kind: RecordKind, ids: Iterable<string>): string[] {
    const named = this.#kinds.get(kind)
    return [...ids].filter((id) => !named?.has(id))
  }

  /** number of ids */
  get size(): number {
    let size = 0
    for (const ids of this.#kinds.values()) size += ids.size
    return size
  }
}
