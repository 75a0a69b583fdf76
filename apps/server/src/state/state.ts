import { META_ID, type Meta } from '@pulse/contract'
import { createEstate, type Observation, type StatePatch, type Tables } from '@pulse/domain'

/** The live state: one writer, many readers of its patches. */
export interface State {
  readonly tables: Tables
  readonly meta: Meta
  /** grows with every patch */
  readonly version: number
  /** Replaces everything this source said before about the kinds it names. */
  observe(observation: Observation): void
  /** The source is gone, with all it ever said. */
  forget(source: string): void
  /** Changes the record about the product itself. */
  setMeta(change: Partial<Meta>): void
  subscribe(reader: (patch: StatePatch) => void): () => void
}

/** What the product says about itself: no connection has such an id. */
const SELF = 'self'

/** A reader that throws hurts neither the others nor the source that spoke; `onReaderError` says so. */
export function createState(initial: Meta, onReaderError: (error: unknown) => void = rethrow): State {
  const estate = createEstate()
  const readers = new Set<(patch: StatePatch) => void>()
  let version = 0
  const putMeta = (meta: Meta) => estate.observe(SELF, { meta: new Map([[META_ID, meta]]) })
  putMeta(initial)

  function publish(patch: StatePatch) {
    if (Object.keys(patch).length === 0) return
    version++
    for (const reader of readers) {
      try {
        reader(patch)
      } catch (error) {
        onReaderError(error)
      }
    }
  }

  return {
    tables: estate.tables,
    get meta() {
      return estate.tables.meta.get(META_ID)!
    },
    get version() {
      return version
    },
    observe({ source, records, state }) {
      publish(estate.observe(source, state ? { ...records, sources: new Map([[source, state]]) } : records))
    },
    forget: (source) => publish(estate.forget(source)),
    setMeta(change) {
      publish(putMeta({ ...estate.tables.meta.get(META_ID)!, ...change }))
    },
    subscribe(reader) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
  }
}

/** Later and on its own, as the error of any listener. */
function rethrow(error: unknown) {
  queueMicrotask(() => {
    throw error
  })
}
