import { connectionKey, type SourceState } from '@pulse/contract'
import { isEqual, type Observation, switchedOff } from '@pulse/domain'
import { type Publisher, startPublisher } from '../polling/publisher.ts'
import type { Source } from './watch-source.ts'

/** Shared by all records of a source. */
export interface SharedByRecords {
  /** the connection's id */
  source: string
  name: string
  health: SourceState['health']
  /** offset from the monotonic times of facts to epoch ms */
  wallOffset: number
}

/** The current data of a source. */
export interface Picture<C> {
  context(shared: SharedByRecords): C
  records(context: C, now: number): Promise<Observation['records']>
  /** The long part of `records`, done in advance. */
  map?(context: C, now: number): Promise<void>
  isDegraded?(): boolean
  /** A sentence about items beyond the limit. */
  excess?(): string | undefined
  /** further fields of the source's state */
  state?(shownAt: (at: number) => number): Partial<SourceState>
}

/** Converts a monotonic time to wall-clock time. */
export const shownAt = (at: number, { wallOffset }: Pick<SharedByRecords, 'wallOffset'>): number =>
  Math.round(at + wallOffset)

/** Turns the current data into complete observations. */
export function publishSource<C>(source: Source, picture: Picture<C>): Publisher {
  const { clock, judged, log, connection, health, pace } = source
  const verdictNow = () => health.verdict(picture.isDegraded?.())
  let hadExcess = false

  const sharedNow = (): SharedByRecords => ({
    source: connection.id,
    name: connection.name,
    health: verdictNow().health,
    wallOffset: source.wallOffset(),
  })

  /** The shared fields may change meanwhile. One repetition is enough: `records` maps the rest. */
  async function mapInSteps() {
    for (let times = 0; times < 2; times++) {
      const context = picture.context(sharedNow())
      await picture.map?.(context, judged())
      if (isEqual(context, picture.context(sharedNow()))) return
    }
  }

  async function publish(isStopped: () => boolean) {
    const now = judged()
    const { error: failure, ...verdict } = verdictNow()
    const excess = picture.excess?.()
    const error = failure ?? excess
    const shared = sharedNow()
    const promiseMs = health.takePromise()
    const overdueError = health.overdueError()
    if (excess !== undefined && !hadExcess) log.warn(excess)
    hadExcess = excess !== undefined
    const { lastAnswerAt, lastListedAt } = health
    const shown = (at: number) => shownAt(at, shared)
    const unreadable = health.unreadable().map(({ since, ...one }) => ({ ...one, since: shown(since) }))
    const further = picture.state?.(shown)
    // Before the first answer the records are unknown, which is different from empty.
    const records = lastListedAt === undefined ? {} : await picture.records(picture.context(shared), now)
    if (isStopped()) return
    // Read after the records, so that a part that was switched off before they were read is named.
    const off = switchedOff(connection, pace().backupsMs !== undefined)
    await source.observe({
      source: connection.id,
      records,
      state: {
        name: connectionKey(connection.kind, shared.name),
        kind: connection.kind,
        ...(connection.site !== undefined && { site: connection.site }),
        ...verdict,
        ...(error !== undefined && { error }),
        ...(lastAnswerAt !== undefined && { lastSeen: shown(lastAnswerAt) }),
        ...(unreadable.length > 0 && { unreadable }),
        ...(off.length > 0 && { switchedOff: off }),
        ...further,
      },
      ...(promiseMs !== undefined && { promiseMs }),
      ...(overdueError !== undefined && { overdueError }),
    })
  }

  return startPublisher({
    clock,
    prepare: async () => {
      if (health.lastListedAt !== undefined) await mapInSteps()
    },
    publish,
  })
}
