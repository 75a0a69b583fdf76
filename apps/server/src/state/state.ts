import { type AnyRecord, META_ID, type Meta, type RecordKind } from '@pulse/contract'
import {
  type Clock,
  createEstate,
  type Frame,
  type Observation,
  type StatePatch,
  type Tables,
} from '@pulse/domain'
import { yieldToEventLoop } from '../timing/yield.ts'
import { findOverdueSources } from './overdue-sources.ts'
import { createReaders, type Reader } from './readers.ts'

/** The live state: one writer, many readers of its patches. */
export interface State {
  readonly tables: Tables
  readonly meta: Meta
  /** grows with every patch */
  readonly version: number
  /** Replaces this source's earlier records of the kinds in the observation. */
  observe(observation: Observation): void
  /** The same in steps that yield to the event loop. Resolves when everything is visible. */
  observeInSteps(observation: Observation): Promise<void>
  /** The records of a kind as that source has them, until it is observed again. */
  recordsOf(source: string, kind: RecordKind): ReadonlyMap<string, AnyRecord>
  /** Takes a part of an observation of another process, in steps. False: a frame before it is missing. */
  receive(frame: Frame): Promise<boolean>
  /**
   * Nothing arrives from the site of these sources since that time (epoch ms), or something does again
   * (undefined). Resolves when it is visible. A source may be named before its first observation.
   */
  markSiteUnreachable(sources: Iterable<string>, since: number | undefined): Promise<void>
  /** This process does not collect the source any more. */
  release(source: string): void
  /** Nothing confirms what it has of the source: that is stale until the source is observed again. */
  doubt(source: string): void
  /**
   * Keeps what the process that led before has said of the source, until this one says more. False: there is nothing such.
   */
  adopt(source: string): boolean
  /** Removes the source with all its records. */
  forget(source: string): void
  /** Changes the record about the product itself. */
  setMeta(change: Partial<Meta>): void
  subscribe(reader: Reader): () => void
  /** Stops the check for overdue sources. */
  stop(): void
}

/** The source id of Pulse's own records. No connection has this id. */
export const ownSource = 'self'

/** The origin of an error that stops nothing else. */
export type StateFault = 'reader' | 'derivation'

/**
 * An error in a reader or derivation loses no patch and keeps their order. `onFault` reports it. Without a
 * clock, no source is overdue.
 */
export function createState(
  initial: Meta,
  onFault: (error: unknown, fault: StateFault) => void = rethrow,
  clock?: Clock,
  derivations?: Parameters<typeof createEstate>[0],
): State {
  /** the first error during the latest patch */
  let fault: { error: unknown } | undefined
  let isReporting = false
  const estate = createEstate(derivations, (error) => void (fault ??= { error }))
  const readers = createReaders((error) => onFault(error, 'reader'))
  const overdue = clock && findOverdueSources(clock, (source) => void inSteps(estate.overdue(source)))
  let version = 0
  const putMeta = (meta: Meta) => estate.observe(ownSource, { meta: new Map([[META_ID, meta]]) })
  putMeta(initial)

  function publish(patch: StatePatch) {
    if (Object.keys(patch).length > 0) {
      version++
      readers.publish(patch)
    }
    if (fault && !isReporting) report(fault.error)
    fault = undefined
  }

  /** Runs after the patch is published: the report is itself a patch and may cause the same error again. */
  function report(error: unknown) {
    isReporting = true
    onFault(error, 'derivation')
    isReporting = false
  }

  async function inSteps(steps: Iterable<StatePatch>) {
    for (const patch of steps) {
      publish(patch)
      await yieldToEventLoop()
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
    observe(observation) {
      overdue?.hear(observation)
      publish(estate.observe(observation.source, observation.records, observation))
    },
    observeInSteps(observation) {
      overdue?.hear(observation)
      return inSteps(estate.observeInSteps(observation.source, observation.records, observation))
    },
    recordsOf: estate.recordsOf,
    async receive(frame) {
      const isRepeated = estate.has(frame)
      const steps = estate.receive(frame)
      if (!steps) return false
      if (!isRepeated) overdue?.hear(frame)
      await inSteps(steps)
      return true
    },
    markSiteUnreachable: (sources, since) => inSteps(estate.markSiteUnreachable(sources, since)),
    release: (source) => void inSteps(estate.release(source)),
    doubt: (source) => void inSteps(estate.overdue(source)),
    adopt: () => false,
    forget(source) {
      overdue?.forget(source)
      publish(estate.forget(source))
    },
    setMeta(change) {
      publish(putMeta({ ...estate.tables.meta.get(META_ID)!, ...change }))
    },
    subscribe: readers.add,
    stop: () => overdue?.stop(),
  }
}

/** Throws later and separately, like the error of any listener. */
function rethrow(error: unknown) {
  queueMicrotask(() => {
    throw error
  })
}
