import type { SourceKind, SystemSettings } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import { makeLeaseBucket } from '../cluster/leases/leases.ts'
import { makePresenceBucket } from '../cluster/presence.ts'
import { answerSealed } from '../cluster/sites/sealed-questions.ts'
import type { SiteKeys } from '../cluster/sites/site-keys.ts'
import type { SiteLink } from '../cluster/sites/site-link.ts'
import { type SiteAnswer, SiteQuestion, toSent } from '../cluster/sites/site-wire.ts'
import { sourceCosts } from '../cluster/frames/source-costs.ts'
import {
  allSiteAsks,
  leaseBucketOf,
  presenceBucketOf,
  siteIn,
  siteSubjects,
} from '../cluster/nats/subjects.ts'
import type { Pace } from '../collectors/source.ts'
import type { OnSignal } from '../signal.ts'
import type { State } from '../state/state.ts'

export interface SiteAreaEdges {
  link: SiteLink
  keys: Pick<SiteKeys, 'vaultOf'>
  connections: {
    /** with their secrets */
    ofSite(site: string): Connection[]
    /** other than the main one */
    sites(): Iterable<string>
    /** Stores what a source has said about its own cluster. */
    learned(id: string, cluster: LearnedCluster): Promise<void>
    onChange: OnSignal
    pace: (kind: SourceKind) => Pace
  }
  settings: { onChange: OnSignal<[now: SystemSettings, before: SystemSettings]> }
  state: Pick<State, 'tables'>
  clock: Clock
  log: Logger
}

/**
 * Gives collectors without a database what they need to poll the connections of their site, and nothing of other sites.
 * The process that leads answers.
 */
export function siteArea(edges: SiteAreaEdges): Area {
  const { link, keys, connections, settings, state, log } = edges
  const { pace } = connections
  const { bus, replicas, onRefused } = link
  const costOf = sourceCosts(state.tables, edges.clock)
  let end = () => {}
  let isLeading = false

  function isKnown(source: string): boolean {
    const { health = 'unknown', siteUnreachableSince } = state.tables.sources.get(source) ?? {}
    return health !== 'unknown' || siteUnreachableSince !== undefined
  }

  /** Collectors of a site have no right to make them. */
  const makeBuckets = (site: string) =>
    Promise.all([
      makeLeaseBucket(bus, leaseBucketOf(site), replicas),
      makePresenceBucket(bus, presenceBucketOf(site), replicas),
    ])

  async function answer(question: unknown, subject: string): Promise<unknown> {
    const site = siteIn(subject)
    const asked = SiteQuestion.parse(question)
    if (!(await link.stillLeads())) throw new Error('another process leads now')
    const own = connections.ofSite(site)
    if (asked.ask === 'learned') {
      if (!own.some(({ id }) => id === asked.source)) throw new Error('the source belongs to another site')
      const { clusterName, ...rest } = asked.cluster
      await connections.learned(asked.source, {
        ...(rest as LearnedCluster),
        ...(clusterName !== undefined && { clusterName }),
      })
      return null
    }
    await makeBuckets(site)
    return {
      connections: own.map((one) => ({ ...toSent(one), isKnown: isKnown(one.id), cost: costOf(one.id) })),
      pace: { pve: pace('pve'), pbs: pace('pbs'), pmg: pace('pmg') },
    } satisfies SiteAnswer
  }

  let sitesBefore = new Set<string>()

  /** Collectors of all sites ask again, also those of a site that has lost its last connection. */
  function announce() {
    if (!isLeading || bus.nats.isClosed()) return
    const sites = new Set(connections.sites())
    for (const site of new Set([...sites, ...sitesBefore])) bus.nats.publish(siteSubjects(site).changed)
    sitesBefore = sites
  }

  connections.onChange(announce)
  settings.onChange(announce)
  return {
    name: 'the collectors of other sites',
    lead() {
      isLeading = true
      end = answerSealed({
        bus,
        subject: allSiteAsks,
        lineOf: (subject) => {
          const { asks, answers } = siteSubjects(siteIn(subject))
          return { asks, answers }
        },
        vaultOf: async (subject) => keys.vaultOf(siteIn(subject)),
        answer,
        onRefused,
      })
      log.debug('this process answers the collectors of other sites')
      announce()
    },
    stop() {
      isLeading = false
      end()
    },
  }
}
