import { connectionKey, type SourceState } from '@pulse/contract'
import { isEqual, type Observation, switchedOff } from '@pulse/domain'
import { type Publisher, startPublisher } from '../polling/publisher.ts'
import type { Source } from './watch-source.ts'

/** What all records of a source share. */
export interface SharedByRecords {
  /** the connection's id */
  source: string
  name: string
  health: SourceState['health']
  /** what to add to the moments of the facts, which are monotonic, for epoch ms */
  wallOffset: number
}

/** What is known of a source. */
export interface Picture<C> {
  context(shared: SharedByRecords): C
  records(context: C, now: number): Observation['records']
  /** The long part of `records`, made before. */
  map?(context: C, now: number): Promise<void>
  isDegraded?(): boolean
  /** In words, what of it there is no room for. */
  excess?(): string | undefined
  /** what else is said of the source */
  state?(shownAt: (at: number) => number): Partial<SourceState>
}

/** A monotonic moment as people see it. */
export const shownAt = (at: number, { wallOffset }: Pick<SharedByRecords, 'wallOffset'>): number =>
  Math.round(at + wallOffset)

/** Turns what is known into complete observations. */
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

  /** What all records share may change meanwhile; once more is enough, for the rest is done at once. */
  async function mapInSteps() {
    for (let times = 0; times < 2; times++) {
      const context = picture.context(sharedNow())
      await picture.map?.(context, judged())
      if (isEqual(context, picture.context(sharedNow()))) return
    }
  }

  async function publish() {
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
    const off = switchedOff(connection, pace().backupsMs !== undefined)
    await source.observe({
      source: connection.id,
      // Before the first answer nothing is known, which is not the same as nothing being there.
      records: lastListedAt === undefined ? {} : picture.records(picture.context(shared), now),
      state: {
        name: connectionKey(connection.kind, connection.name),
        kind: connection.kind,
        ...verdict,
        ...(error !== undefined && { error }),
        ...(lastAnswerAt !== undefined && { lastSeen: shown(lastAnswerAt) }),
        ...(unreadable.length > 0 && { unreadable }),
        ...(off.length > 0 && { switchedOff: off }),
        ...picture.state?.(shown),
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
