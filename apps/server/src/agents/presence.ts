import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { suspendedMs } from '../timing/suspend-detector.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { expire } from './commands.ts'
import { silenceMs } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { AgentProtocol } from './protocol.ts'

const checkIntervalMs = 10_000
/** A conflict ends when the other machine has not reported for this long. */
const conflictMs = 10 * 60_000

export interface PresenceEdges {
  protocol: Pick<AgentProtocol, 'noun'>
  hosts: Pick<Hosts, 'all' | 'show' | 'saveSoon'>
  clock: Clock
  log: Logger
  onNews: () => void
}

/** Finds hosts that stopped reporting, expired commands and identity conflicts that have ended. */
export function createPresence({ protocol, hosts, clock, log, onNews }: PresenceEdges) {
  let checking: Ticker | undefined
  /** monotonic: when this process started, or when it went on after it was stopped, in which no host could report */
  let awakeSince = -Infinity
  let checkedAt = -Infinity

  function checkAll() {
    const now = clock.monotonic()
    const wasStopped = now - checkedAt >= checkIntervalMs + suspendedMs
    if (wasStopped) awakeSince = now
    checkedAt = now
    for (const host of hosts.all()) {
      const { reportedAt = -Infinity, awaitedSince = -Infinity, isOnline, facts } = host
      const mostMs = silenceMs(facts)
      // what it said then is old now
      const isAwaitedAgain = wasStopped && isOnline && now - reportedAt > mostMs
      if (isAwaitedAgain) Object.assign(host, { isOnline: false, wasOnline: true, awaitedSince: now })
      const isOverdue = now - Math.max(reportedAt, awaitedSince, awakeSince) > mostMs
      const hasGone = isOnline && isOverdue
      const hasNotReported = host.awaitedSince !== undefined && isOverdue
      const isOffline = hasGone || (hasNotReported && host.wasOnline)
      if (isOffline)
        log.warn({ host: facts.displayName }, `${protocol.noun} offline: its agent does not report`)
      if (hasGone) host.isOnline = false
      if (hasNotReported) Object.assign(host, { wasOnline: false, awaitedSince: undefined })
      const isOver = host.conflict !== undefined && now - host.conflictAt > conflictMs
      if (isOver) host.conflict = undefined
      const hasExpired = expire(host, clock)
      if (isOffline || hasExpired) hosts.saveSoon(host)
      if (hasGone || isOver || hasExpired || hasNotReported || isAwaitedAgain) {
        hosts.show(host)
        onNews()
      }
    }
  }

  return {
    start() {
      checkedAt = awakeSince = clock.monotonic()
      checking = createTicker({
        clock,
        intervalMs: checkIntervalMs,
        run: checkAll,
        onError: (err) => log.error({ err }, `cannot check the ${protocol.noun}s`),
      })
    },
    stop: () => checking?.stop(),
  }
}
