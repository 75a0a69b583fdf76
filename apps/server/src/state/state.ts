import { META_ID, type Meta } from '@pulse/contract'
import { type Clock, createEstate, type Observation, type StatePatch, type Tables } from '@pulse/domain'
import { yieldToEventLoop } from '../timing/yield.ts'
import { watchPromises } from './promises.ts'
import { createReaders, type Reader } from './readers.ts'

/** The live state: one writer, many readers of its patches. */
export interface State {
  readonly tables: Tables
  readonly meta: Meta
  /** grows with every patch */
  readonly version: number
  /** Replaces everything this source said before about the kinds it names. */
  observe(observation: Observation): void
  /** The same in steps that yield to the event loop; resolves when all of it is shown. */
  observeInSteps(observation: Observation): Promise<void>
  /** The source is gone, with all it ever said. */
  forget(source: string): void
  /** Changes the record about the product itself. */
  setMeta(change: Partial<Meta>): void
  subscribe(reader: Reader): () => void
  /** Sources that promised to be heard may be silent now. */
  stop(): void
}

/** What the product says about itself: no connection has such an id. */
const SELF = 'self'

/** Where something failed that keeps nothing else from going on. */
export type StateFault = 'reader' | 'derivation'

/** Nothing that throws behind it loses a patch or its place in the order; `onFault` says so. Without a clock no source is overdue. */
export function createState(
  initial: Meta,
  onFault: (error: unknown, fault: StateFault) => void = rethrow,
  clock?: Clock,
  derivations?: Parameters<typeof createEstate>[0],
): State {
  /** the first that was met while the latest patch was made */
  let fault: { error: unknown } | undefined
  let isReporting = false
  const estate = createEstate(derivations, (error) => void (fault ??= { error }))
  const readers = createReaders((error) => onFault(error, 'reader'))
  const promises = clock && watchPromises(clock, (source) => void inSteps(estate.overdue(source)))
  let version = 0
  const putMeta = (meta: Meta) => estate.observe(SELF, { meta: new Map([[META_ID, meta]]) })
  putMeta(initial)

  function publish(patch: StatePatch) {
    if (Object.keys(patch).length > 0) {
      version++
      readers.tell(patch)
    }
    if (fault && !isReporting) report(fault.error)
    fault = undefined
  }

  /** Once the patch is out: what is said about it is a patch too, and may meet the same again. */
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
      promises?.hear(observation)
      publish(estate.observe(observation.source, observation.records, observation))
    },
    observeInSteps(observation) {
      promises?.hear(observation)
      return inSteps(estate.observeInSteps(observation.source, observation.records, observation))
    },
    forget(source) {
      promises?.forget(source)
      publish(estate.forget(source))
    },
    setMeta(change) {
      publish(putMeta({ ...estate.tables.meta.get(META_ID)!, ...change }))
    },
    subscribe: readers.add,
    stop: () => promises?.stop(),
  }
}

/** Later and on its own, as the error of any listener. */
function rethrow(error: unknown) {
  queueMicrotask(() => {
    throw error
  })
}
