import { isEqual, type Clock, type Connection, type Observation, switchedOff } from '@pulse/domain'
import type { Logger } from 'pino'
import { type Publisher, startPublisher } from '../../polling/publisher.ts'
import type { Pace } from '../source.ts'
import type { SourceHealth } from '../source-health.ts'
import type { Cluster } from './cluster.ts'
import { shown, type MapContext } from './map.ts'
import type { NodeCache } from './nodes.ts'
import type { ClusterParts } from './cluster-parts.ts'

export interface Picture {
  clock: Clock
  /** the moment by which it is judged what has grown old */
  judged: () => number
  /** what to add to a monotonic moment for epoch ms */
  wallOffset: () => number
  log: Logger
  connection: Pick<Connection, 'id' | 'name' | 'kind' | 'flags'>
  pace: () => Pick<Pace, 'backupsMs'>
  health: SourceHealth
  nodes: Pick<NodeCache, 'lost'>
  cluster: Pick<Cluster, 'name' | 'isCluster' | 'isDegraded'>
  /** what the parts know */
  known: () => Pick<ClusterParts, 'map' | 'records' | 'reading'>
  /** In words, what of it there is no room for. */
  excess: () => string | undefined
  observe: (observation: Observation) => void | Promise<void>
}

/** Turns what is known into complete observations. */
export function publishCluster(picture: Picture): Publisher {
  const { clock, judged, log, connection, health, nodes } = picture
  let hadExcess = false

  const publisher = startPublisher({
    clock,
    prepare: async () => {
      if (health.lastListedAt !== undefined) await mapInSteps()
    },
    publish: say,
  })

  /** What all records share may change meanwhile; once more is enough, for the rest is done at once. */
  async function mapInSteps() {
    for (let times = 0; times < 2; times++) {
      const context = contextNow()
      await picture.known().map(context, judged())
      if (isEqual(context, contextNow())) return
    }
  }

  const contextNow = (): MapContext => ({
    source: connection.id,
    instance: connection.name,
    clusterName: picture.cluster.name,
    isCluster: picture.cluster.isCluster,
    health: verdictNow().health,
    wallOffset: picture.wallOffset(),
    lost: nodes.lost(),
  })

  const verdictNow = () => health.verdict(picture.cluster.isDegraded())

  async function say() {
    const now = judged()
    const { health: verdict, error: failure, refused, untrusted } = verdictNow()
    const excess = picture.excess()
    const error = failure ?? excess
    const context = contextNow()
    const promiseMs = health.takePromise()
    if (excess !== undefined && !hadExcess) log.warn(excess)
    hadExcess = excess !== undefined
    const { lastAnswerAt: answeredAt, lastListedAt: listedAt } = health
    const unreadable = health
      .unreadable()
      .map(({ since, ...one }) => ({ ...one, since: shown(since, context) }))
    const lastSeen = answeredAt === undefined ? undefined : shown(answeredAt, context)
    const off = switchedOff(connection, picture.pace().backupsMs !== undefined)
    const reading = picture.known().reading()
    await picture.observe({
      source: connection.id,
      // Before the first listing nothing is known, which is not the same as nothing being there.
      records: listedAt !== undefined ? picture.known().records(context, now) : {},
      state: {
        name: connection.name,
        kind: 'pve',
        health: verdict,
        ...(lastSeen !== undefined && { lastSeen }),
        ...(listedAt !== undefined && { listedAt: shown(listedAt, context) }),
        ...(error !== undefined && { error }),
        ...(refused && { refused }),
        ...(untrusted && { untrusted }),
        ...(unreadable.length > 0 && { unreadable }),
        ...(off.length > 0 && { switchedOff: off }),
        ...(reading.length > 0 && { reading }),
      },
      ...(promiseMs !== undefined && { promiseMs }),
    })
  }

  return publisher
}
