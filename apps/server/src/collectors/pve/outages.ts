import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'

/** Logs unreachable addresses and nodes of a source: one line per outage, and one when all are back. */
export interface Outages {
  /** `what` is an address or a node. */
  lost(what: string, reason: string): void
  found(what: string): void
  stop(): void
}

/** Failures within this time are logged together. */
const gatherMs = 5_000
/** The interval of log lines about further losses in the same outage. */
const betweenLinesMs = 600_000
/** An address or node counts as back after this time without another failure. */
const calmMs = 60_000
const mostNames = 20

export function watchOutages(clock: Clock, log: Logger): Outages {
  const lost = new Map<string, string>()
  /** logged as lost, and reachable again while others are not */
  const back = new Set<string>()
  let outage: { since: number; names: Set<string>; unlogged: Set<string>; times: number } | undefined
  let loggedAt = -Infinity
  let cancelLog = () => {}
  let cancelEnd = () => {}
  let cancelBack = () => {}

  function logLost() {
    const news = [...(outage?.unlogged ?? [])].filter((what) => lost.has(what))
    if (!outage || news.length === 0) return
    outage.unlogged.clear()
    loggedAt = clock.monotonic()
    const reason = lost.get(news[0]!)
    log.warn(
      { lost: news.slice(0, mostNames), count: news.length, reason },
      news.length === 1
        ? `${news[0]} cannot be reached`
        : `${news.length} addresses or nodes cannot be reached`,
    )
  }

  function logBack() {
    const news = [...back]
    back.clear()
    if (news.length === 0) return
    log.info(
      { found: news.slice(0, mostNames), count: news.length },
      news.length === 1
        ? `${news[0]} can be reached again`
        : `${news.length} addresses or nodes can be reached again`,
    )
  }

  function end() {
    back.clear()
    if (!outage) return
    const { since, names, unlogged, times } = outage
    outage = undefined
    if (names.size === unlogged.size) return // no loss lasted long enough for a log line
    loggedAt = -Infinity
    const seconds = Math.round((clock.monotonic() - calmMs - since) / 1000)
    log.info({ count: names.size, times, seconds }, 'all addresses and nodes are reachable again')
  }

  return {
    lost(what, reason) {
      cancelEnd()
      back.delete(what)
      outage ??= { since: clock.monotonic(), names: new Set(), unlogged: new Set(), times: 0 }
      lost.set(what, reason)
      outage.times++
      if (outage.names.has(what)) return
      outage.names.add(what)
      outage.unlogged.add(what)
      if (outage.unlogged.size > 1) return
      cancelLog()
      cancelLog = clock.after(Math.max(gatherMs, loggedAt + betweenLinesMs - clock.monotonic()), logLost)
    },
    found(what) {
      if (!lost.delete(what)) return
      if (lost.size > 0) {
        if (!outage?.names.has(what) || outage.unlogged.has(what)) return
        back.add(what)
        cancelBack()
        cancelBack = clock.after(calmMs, logBack)
        return
      }
      cancelBack()
      cancelEnd()
      cancelEnd = clock.after(calmMs, end)
    },
    stop() {
      cancelLog()
      cancelEnd()
      cancelBack()
    },
  }
}
