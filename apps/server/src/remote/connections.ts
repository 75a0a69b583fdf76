import type { SourceKind } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'
import type { Bus } from '../cluster/nats/bus.ts'
import { askSealed, KeyRefused, NoAnswer } from '../cluster/sites/sealed-questions.ts'
import { fromSent, SiteAnswer, type SiteQuestion } from '../cluster/sites/site-wire.ts'
import { siteSubjects } from '../cluster/nats/subjects.ts'
import { type Pace, usualPace } from '../collectors/source.ts'
import { asksTheSame, isSameCluster } from '../connections/same.ts'
import type { Watching } from '../connections/watching.ts'
import type { Vault } from '../seal.ts'
import { createTicker } from '../timing/ticker.ts'

const usualMs = 30_000
/** until the first answer, and while the key is refused */
const soonMs = 3_000
const limitMs = 5_000
/** Of 500 connections, the most that Pulse has: a cluster with 100 members needs some ten kilobytes. */
const mostAnswerBytes = 32 * 1024 * 1024

export interface SiteConnectionsEdges {
  bus: Pick<Bus, 'nats'>
  site: string
  vault: Vault
  clock: Clock
  watching: Pick<Watching, 'all' | 'get' | 'change' | 'end'>
  /** After each answer. What rejects is repeated with the next one. */
  onAnswer: () => Promise<void>
  /** The key of the site has been replaced, or is accepted again. */
  onKey: (isRefused: boolean) => void
  onFault: (error: unknown) => void
}

/** The connections of this site and how to poll them, as the process that leads knows them. They are kept in memory only. */
export interface SiteConnections {
  pace(kind: SourceKind): Pace
  /** Whether other processes know what has become of the source. */
  isKnown(source: string): boolean
  /** the work that it makes, as all collectors of the site know it */
  costOf(source: string): number
  /** A source has said something about its cluster, which is stored with the connection. */
  learned(id: string, cluster: LearnedCluster): void
  /** Asks at once. */
  ask(): void
  readonly hasAnswer: boolean
  stop(): void
}

export function followConnections(edges: SiteConnectionsEdges): SiteConnections {
  const { bus, site, vault, clock, watching, onAnswer, onKey, onFault } = edges
  const { asks, answers, changed } = siteSubjects(site)
  let pace: SiteAnswer['pace'] = { pve: usualPace, pbs: usualPace, pmg: usualPace }
  let known = new Set<string>()
  let costs = new Map<string, number>()
  /** not stored yet */
  const toReport = new Map<string, LearnedCluster>()
  let hasAnswer = false
  let isRefused = false

  const send = (question: SiteQuestion) =>
    askSealed({ bus, clock }, { asks, answers }, vault, question, limitMs, mostAnswerBytes)

  async function take({ connections, pace: next }: SiteAnswer) {
    const own = connections.map(({ cost: _cost, ...sent }) => fromSent(sent))
    known = new Set(connections.filter(({ isKnown }) => isKnown).map(({ id }) => id))
    costs = new Map(connections.map(({ id, cost = 1 }) => [id, cost]))
    const isFaster = !isDeepStrictEqual(next, pace)
    pace = next
    for (const { connection } of watching.all())
      if (own.every(({ id }) => id !== connection.id)) await watching.end(connection.id)
    for (const connection of own) await change(connection)
    if (isFaster) for (const { running } of watching.all()) running.refresh()
  }

  async function change(connection: Connection) {
    const current = watching.get(connection.id)?.connection
    if (!current || !isUnchanged(current, connection)) await watching.change(connection)
  }

  async function report() {
    for (const [source, cluster] of toReport) {
      await send({ ask: 'learned', source, cluster })
      if (toReport.get(source) === cluster) toReport.delete(source)
    }
  }

  async function refuse() {
    if (isRefused) return
    isRefused = true
    onKey(true)
    for (const { connection } of watching.all()) await watching.end(connection.id)
  }

  async function run() {
    try {
      const answer = SiteAnswer.parse(await send({ ask: 'connections' })) as SiteAnswer
      if (isRefused) onKey(false)
      isRefused = false
      hasAnswer = true
      await take(answer)
      await report()
    } catch (error) {
      // It goes on with what it has. The process that leads may be another one in a moment.
      if (error instanceof NoAnswer) return
      if (error instanceof KeyRefused) return refuse()
      throw error
    }
    await onAnswer()
  }

  const asking = createTicker({
    clock,
    intervalMs: () => (hasAnswer && !isRefused ? usualMs : soonMs),
    firstMs: 0,
    run,
    onError: onFault,
  })
  const announced = bus.nats.subscribe(changed, { callback: () => asking.now() })

  return {
    pace: (kind) => pace[kind],
    isKnown: (source) => known.has(source),
    costOf: (source) => costs.get(source) ?? 1,
    learned(id, cluster) {
      const entry = watching.get(id)
      if (!entry || isSameCluster(entry.connection, cluster)) return
      const { clusterName: _name, ...rest } = entry.connection
      entry.connection = { ...rest, ...cluster }
      toReport.set(id, cluster)
      asking.now()
    },
    ask: asking.now,
    get hasAnswer() {
      return hasAnswer && !isRefused
    },
    stop() {
      asking.stop()
      if (!bus.nats.isClosed()) announced.unsubscribe()
    },
  }
}

/** Which members are online changes often, and is known here first. */
function isUnchanged(a: Connection, b: Connection): boolean {
  const shown = ({ name, site, flags }: Connection) => ({ name, site, flags })
  return asksTheSame(a, b) && isSameCluster(a, b) && isDeepStrictEqual(shown(a), shown(b))
}
