import type { StatePatch } from '@pulse/domain'

export type Reader = (patch: StatePatch) => void

/** The subscribers of the state. All of them get every patch, in the order in which it was made. */
export interface Readers {
  /** The returned function unsubscribes. */
  add(reader: Reader): () => void
  /** A patch published during another one waits until all readers have the earlier one. */
  publish(patch: StatePatch): void
}

/** A reader that throws affects neither other readers nor the writer. */
export function createReaders(onError: (error: unknown) => void): Readers {
  const readers = new Set<Reader>()
  const waiting: StatePatch[] = []
  let isPublishing = false

  function publishWaiting() {
    // The report of an error is itself a patch and may cause the same error again.
    const reported = new Set<Reader>()
    for (let patch = waiting.shift(); patch; patch = waiting.shift()) {
      for (const reader of readers) {
        try {
          reader(patch)
        } catch (error) {
          if (reported.has(reader)) continue
          reported.add(reader)
          onError(error)
        }
      }
    }
  }

  return {
    add(reader) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    publish(patch) {
      waiting.push(patch)
      if (isPublishing) return
      isPublishing = true
      try {
        publishWaiting()
      } finally {
        isPublishing = false
      }
    },
  }
}
