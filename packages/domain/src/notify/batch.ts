import { isCritical, type Ready, type SourceShare } from './dispatch.ts'

/** One message to be: what it names, and what it has no line for. */
export interface Batch {
  named: readonly Ready[]
  left: readonly Ready[]
  sources: readonly SourceShare[]
}

interface Looks {
  /** ids of alerts that wait for their all-clear */
  awaited: ReadonlySet<string>
  isFlood: (stream: string) => boolean
  /** messages about the stream within the hour */
  recent: (stream: string) => number
}

/** Of every source the worst first, then the worst of all; among equals the source that was heard least, then the oldest. */
export function fitting(entries: readonly Ready[], most: number, { awaited, isFlood, recent }: Looks): Batch {
  const severity = ({ episode: { alert } }: Ready) => (awaited.has(alert.id) ? 0 : isCritical(alert) ? 1 : 2)
  const bySource = [...Map.groupBy(entries, ({ episode }) => episode.source).values()]
  const ranked = bySource.flatMap((list) =>
    list
      .toSorted((a, b) => severity(a) - severity(b) || a.episode.beganAt - b.episode.beganAt)
      .map((entry, place) => ({ entry, place, turn: place + recent(entry.stream), rank: severity(entry) })),
  )
  const [heads, rest] = [ranked.filter(({ place }) => place === 0), ranked.filter(({ place }) => place > 0)]
  const worst = (a: (typeof ranked)[number], b: typeof a) =>
    a.rank - b.rank || a.turn - b.turn || a.entry.episode.beganAt - b.entry.episode.beganAt
  const ordered = [...heads.toSorted(worst), ...rest.toSorted(worst)].map(({ entry }) => entry)
  const left = ordered.slice(most)
  const leftOf = Map.groupBy(left, ({ stream }) => stream)
  const sources = [...Map.groupBy(entries, ({ stream }) => stream)].map(([stream, [first]]) => ({
    stream,
    name: first!.episode.alert.instance || first!.episode.alert.node,
    isCritical: isCritical(first!.episode.alert),
    isFlood: isFlood(stream),
    left: leftOf.get(stream)?.length ?? 0,
  }))
  return { named: mostSevereFirst(ordered.slice(0, most), ({ episode }) => episode.alert), left, sources }
}

/** Stable: of one severity the order stays. */
export const mostSevereFirst = <T>(items: readonly T[], alertOf: (item: T) => { level: string }): T[] =>
  items.toSorted((a, b) => Number(isCritical(alertOf(b))) - Number(isCritical(alertOf(a))))
