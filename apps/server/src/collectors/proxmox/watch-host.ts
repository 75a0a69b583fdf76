import { connectionKey, type SourceState } from '@pulse/contract'
import { type Connection, type Observation, wallOffset } from '@pulse/domain'
import { AdaptiveInterval } from '../../polling/adaptive.ts'
import { backoffMs } from '../../polling/backoff.ts'
import { Breaker } from '../../polling/breaker.ts'
import { startLoop } from '../../polling/loop.ts'
import { createPatience } from '../patience.ts'
import { deadlineFor, usualPace, type CollectorEdges, type RunningCollector } from '../source.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { openHostClient } from './host-client.ts'
import type { Product } from './product.ts'

/** An account that was refused will be refused again: it costs the host 3 s, and may get us banned. */
const refusedMs = 30_000
/** Trying again soon does not help. */
const lasting: readonly SourceError['code'][] = [
  'unauthorized',
  'forbidden',
  'unsupported',
  'fingerprint',
  'tls',
]

/** It answers, but not to us. */
const refusing: readonly SourceError['code'][] = ['unauthorized', 'unsupported', 'fingerprint', 'tls']
/** In rounds: one answer that is late marks nothing, one that is missing does. */
const freshRounds = 1.5

/** One cycle: what the host has to say. It may ask as often as it needs to. */
export type Cycle = (
  get: (path: string) => Promise<unknown>,
) => Promise<{ records: Observation['records']; version: string | undefined }>

/** Watches a source that is one machine: a steady rhythm, backoff, a breaker, and its health in the state. */
export function watchHost(
  initial: Connection,
  edges: CollectorEdges,
  product: Product,
  cycle: Cycle,
): RunningCollector {
  const connection = { ...initial }
  const { clock, judged } = createPatience(edges.clock)
  const offset = wallOffset(clock)
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const client = openHostClient(connection, product, edges)
  const breaker = new Breaker(clock)
  const { pace = () => usualPace, load = { underWay: 0 } } = edges
  const adaptive = new AdaptiveInterval()
  let intervalMs: number | undefined
  let records: Observation['records'] = {}
  let seenAt: number | undefined
  let fault: SourceError | undefined
  let lastHealth: SourceState['health'] = 'unknown'
  let freshUntil = Infinity
  let cancelStale = () => {}
  const everyMs = () => intervalMs ?? pace().hostMs

  /** A single failure of a host that was well is no outage yet. */
  function healthNow(): SourceState['health'] {
    if (isStale()) return 'error'
    if (!fault) return 'healthy'
    const isDown = seenAt === undefined || lasting.includes(fault.code) || breaker.state !== 'closed'
    return isDown ? 'error' : 'healthy'
  }

  const isStale = () => judged() > freshUntil

  function publish() {
    const health = healthNow()
    if (health !== lastHealth && health === 'error')
      log.warn({ error: fault?.message }, 'source does not answer')
    else if (health !== lastHealth && lastHealth === 'error') log.info('source is healthy again')
    lastHealth = health
    const lastSeen = seenAt === undefined ? undefined : Math.round(seenAt + offset())
    const refused = health === 'error' && fault !== undefined && refusing.includes(fault.code)
    void edges.observe({
      source: connection.id,
      records,
      state: {
        name: connectionKey(connection.kind, connection.name),
        kind: connection.kind,
        health,
        ...(lastSeen !== undefined && { lastSeen }),
        ...(fault && { error: fault.message }),
        ...(refused && { refused }),
        ...(isStale() && { staleSince: lastSeen }),
      },
    })
  }

  function watchAge() {
    cancelStale()
    const leftMs = Math.max(0, freshUntil - judged())
    cancelStale = clock.after(leftMs + 1, () => (isStale() ? publish() : watchAge()))
  }

  let knownVersion: string | undefined
  function nextInterval(ageMs: number | undefined): number | undefined {
    const { adaptive: bounds, hostMs } = pace()
    if (bounds) return adaptive.next({ ...bounds, baseMs: hostMs }, { ageMs, underWay: load.underWay + 1 })
    adaptive.reset()
    return undefined
  }
  const loop = startLoop({
    clock,
    log,
    everyMs,
    deadlineMs: () => deadlineFor(pace()),
    hold: () => breaker.waitMs() || client.waitMs(),
    async run(signal) {
      breaker.enter()
      const startedAt = clock.monotonic()
      load.underWay++
      const { version, ...found } = await cycle((path) => client.get(path, signal)).finally(
        () => load.underWay--,
      )
      records = found.records
      const ageMs = seenAt === undefined ? undefined : clock.monotonic() - seenAt
      seenAt = clock.monotonic()
      fault = undefined
      breaker.succeed()
      client.tally.cycled(seenAt - startedAt)
      if (version !== knownVersion) log.info({ version }, `${product.title} answers`)
      knownVersion = version
      intervalMs = nextInterval(ageMs)
      freshUntil = seenAt + freshRounds * everyMs()
      watchAge()
      publish()
    },
    failed(cause, failures) {
      if (!(cause instanceof SourceError)) log.error({ err: cause }, 'a part of the collector is at fault')
      fault = toSourceError(cause)
      breaker.fail()
      publish()
      return fault.code === 'unauthorized' ? Math.max(refusedMs, backoffMs(failures)) : undefined
    },
  })

  return {
    apply({ name, flags }) {
      Object.assign(connection, { name, flags })
      publish()
    },
    refresh: () => loop.refresh(),
    calls: () => client.calls(),
    totals: () => client.tally.totals(),
    async stop() {
      cancelStale()
      await Promise.all([loop.stop(), client.close()])
    },
  }
}
