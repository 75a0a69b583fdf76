import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'

/** Says in the log what of a source cannot be reached: one line for what fails together, one when all is back. */
export interface Outages {
  /** `what` is an address or a node. */
  lost(what: string, reason: string): void
  found(what: string): void
  stop(): void
}

/** What is lost together is lost within a few seconds. */
const gatherMs = 5_000
/** Further losses in the same outage are told together too. */
const betweenLinesMs = 600_000
/** Whatever comes and goes is not back before it stays. */
const calmMs = 60_000
const mostNames = 20

export function watchOutages(clock: Clock, log: Logger): Outages {
  const lost = new Map<string, string>()
  /** of what was told as lost: that is there again while something else is not */
  const back = new Set<string>()
  let outage: { since: number; names: Set<string>; untold: Set<string>; times: number } | undefined
  let toldAt = -Infinity
  let cancelTell = () => {}
  let cancelEnd = () => {}
  let cancelBack = () => {}

  function tell() {
    const news = [...(outage?.untold ?? [])].filter((what) => lost.has(what))
    if (!outage || news.length === 0) return
    outage.untold.clear()
    toldAt = clock.monotonic()
    const reason = lost.get(news[0]!)
    log.warn(
      { lost: news.slice(0, mostNames), count: news.length, reason },
      news.length === 1
        ? `${news[0]} cannot be reached`
        : `${news.length} addresses or nodes cannot be reached`,
    )
  }

  function tellBack() {
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
    const { since, names, untold, times } = outage
    outage = undefined
    if (names.size === untold.size) return // none of it lasted long enough to be told
    toldAt = -Infinity
    const seconds = Math.round((clock.monotonic() - calmMs - since) / 1000)
    log.info({ count: names.size, times, seconds }, 'all addresses and nodes are reachable again')
  }

  return {
    lost(what, reason) {
      cancelEnd()
      back.delete(what)
      outage ??= { since: clock.monotonic(), names: new Set(), untold: new Set(), times: 0 }
      lost.set(what, reason)
      outage.times++
      if (outage.names.has(what)) return
      outage.names.add(what)
      outage.untold.add(what)
      if (outage.untold.size > 1) return
      cancelTell()
      cancelTell = clock.after(Math.max(gatherMs, toldAt + betweenLinesMs - clock.monotonic()), tell)
    },
    found(what) {
      if (!lost.delete(what)) return
      if (lost.size > 0) {
        if (!outage?.names.has(what) || outage.untold.has(what)) return
        back.add(what)
        cancelBack()
        cancelBack = clock.after(calmMs, tellBack)
        return
      }
      cancelBack()
      cancelEnd()
      cancelEnd = clock.after(calmMs, end)
    },
    stop() {
      cancelTell()
      cancelEnd()
      cancelBack()
    },
  }
}
