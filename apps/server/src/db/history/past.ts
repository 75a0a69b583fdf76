import { type Answer, ChangeLog, type NoticeQuery, type SampleReads, type Step } from '@pulse/domain'
import type { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import type { Blobs } from './blobs.ts'
import { openChangeFile } from './change-file.ts'
import { isDamage } from './damage.ts'
import { createPastFigures } from './past-figures.ts'
import { pastStateJson } from './past-state.ts'
import type { Field } from './messages.ts'
import type { ChangesRequest, Logged, PastRequest, PastResult, ThingQuery } from './past-messages.ts'
import type { ThingFile } from './thing-file.ts'

export interface Past {
  answer(request: Exclude<PastRequest, ChangesRequest>): Answer<PastResult>
  /** A page of changes, read in steps. */
  changes(request: ChangesRequest): Generator<void, PastResult>
  /** Makes bases and removes what is too old, in steps. */
  maintain(now: number, present: number, keepMs: number): Generator<void, void>
  flush(): void
}

interface PastEdges {
  samples: Pick<SampleReads, 'last'>
  things: Pick<ThingFile, 'at' | 'spansOf'>
  fields: readonly Field[]
  blobs: Blobs
  /** throws while the disk has less than the reserve free */
  demandRoom: () => void
}

/** The change log and the figures of the same file: all that a past state needs. */
export function openPast(db: DatabaseSync, { samples, things, fields, blobs, demandRoom }: PastEdges): Past {
  const log = new ChangeLog(openChangeFile(db, blobs))
  const figures = createPastFigures(things, samples, fields)

  function append({ entries, now }: Extract<PastRequest, { do: 'log' }>): Logged {
    try {
      demandRoom()
      log.append(entries, now)
      return { isOpen: log.hasOpen }
    } catch (error) {
      log.discard()
      if (isDamage(error)) throw error
      return { isOpen: false, lost: (error as Error).message }
    }
  }

  function* state({ query }: Extract<PastRequest, { do: 'state' }>): Generator<Step, PastResult> {
    const oldest = log.oldest()
    const past = log.at(query.at)
    if (!past || oldest === undefined) return { do: 'state', oldest, body: undefined }
    const body = Buffer.from(yield* pastStateJson(past, figures, { ...query, oldest }))
    return { do: 'state', oldest, body: query.gzip ? gzipSync(body, { level: 1 }) : body }
  }

  /** Guests that had the id of the query before and after are others. The guest itself may have had another id. */
  function ofThing({ id, ...query }: ThingQuery, asOf: number): NoticeQuery {
    const [kind] = query.kinds ?? []
    if (id === undefined || kind === undefined) return query
    const ids = things.spansOf(kind, id, asOf)
    const from = Math.max(query.from, Math.min(...ids.map((one) => one.from)))
    const to = Math.min(query.to, Math.max(...ids.map((one) => one.to)))
    return { ...query, ids, from, to }
  }

  return {
    answer(request) {
      return request.do === 'log' ? { do: 'log', logged: append(request) } : soon(state(request))
    },
    *changes({ query, asOf = query.to, isCounted }) {
      const counts = isCounted ? yield* log.noticeCounts(query.from, query.to) : undefined
      const page = yield* log.notices(ofThing(query, asOf))
      return { do: 'changes', oldest: log.oldest(), page, counts }
    },
    maintain: (now, present, keepMs) => log.maintain(now, present, keepMs),
    flush: () => log.flush(),
  }
}

/** Does the steps up to the first promise at once: with history.db there is none. */
function soon<T>(work: Generator<Step, T>): Answer<T> {
  const step = work.next()
  return step.done ? step.value : rest(work, step.value)
}

async function rest<T>(work: Generator<Step, T>, first: Step): Promise<T> {
  await first
  let step = work.next()
  for (; !step.done; step = work.next()) await step.value
  return step.value
}
