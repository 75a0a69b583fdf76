import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { expire } from './commands.ts'
import { type Host, silenceMs } from './host.ts'
import type { Hosts } from './hosts.ts'

const lookEveryMs = 10_000
/** Nothing more of the other machine for so long: it is gone. */
const conflictMs = 10 * 60_000

export interface PresenceEdges {
  hosts: Pick<Hosts, 'all' | 'show' | 'save' | 'inTurn'>
  clock: Clock
  log: Logger
  onNews: () => void
}

/** Sees who has fallen silent, what was not carried out in time, and which quarrel is over. */
export function createPresence({ hosts, clock, log, onNews }: PresenceEdges) {
  let looking: Ticker | undefined
  const startedAt = clock.monotonic()
  /** of which it is said that nobody knows yet */
  let early = new Set<Host>()

  function store(host: Host) {
    hosts
      .inTurn(() => hosts.save(host))
      .catch((err: unknown) => log.error({ err }, 'cannot store the result of a command'))
  }

  function look() {
    const now = clock.monotonic()
    for (const host of hosts.all()) {
      const isSilent = now - (host.reportedAt ?? startedAt) > silenceMs(host.facts)
      const hasGone = host.isOnline && isSilent
      if (hasGone) log.warn({ host: host.facts.displayName }, 'Docker host offline: no report from its agent')
      if (hasGone) host.isOnline = false
      const isOver = host.conflict !== undefined && now - host.conflictAt > conflictMs
      if (isOver) host.conflict = undefined
      const hasExpired = expire(host, clock)
      if (hasExpired) store(host)
      if (hasGone || isOver || hasExpired || (early.has(host) && isSilent)) {
        early.delete(host)
        hosts.show(host)
        onNews()
      }
    }
  }

  return {
    start() {
      early = new Set(hosts.all())
      looking = createTicker({
        clock,
        everyMs: lookEveryMs,
        run: look,
        onError: (err) => log.error({ err }, 'cannot check the Docker hosts'),
      })
    },
    stop: () => looking?.stop(),
  }
}
