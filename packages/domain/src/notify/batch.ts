import { isCritical, type Ready, type SourceShare } from './dispatch.ts'

/** One future message: the alerts that it names, and those that do not fit. */
export interface Batch {
  named: readonly Ready[]
  left: readonly Ready[]
  sources: readonly SourceShare[]
}

interface BatchContext {
  /** ids of alerts whose next episode waits for this resolved message */
  awaited: ReadonlySet<string>
  isFlood: (stream: string) => boolean
  /** messages about the stream within the hour */
  recent: (stream: string) => number
}

/**
 * First the worst alert of every source, then the worst of all. Among equals: the source with the fewest
 * messages, then the oldest alert.
 */
export function fitting(
  entries: readonly Ready[],
  most: number,
  { awaited, isFlood, recent }: BatchContext,
): Batch {
  const severity = ({ episode: { alert } }: Ready) => (awaited.has(alert.id) ? 0 : isCritical(alert) ? 1 : 2)
  const bySource = [...Map.groupBy(entries, ({ episode }) => episode.source).values()]
  const ranked = bySource.flatMap((list) =>
    list
      .toSorted((a, b) => severity(a) - severity(b) || a.episode.beganAt - b.episode.beganAt)
      .map((entry, index) => ({ entry, index, order: index + recent(entry.stream), rank: severity(entry) })),
  )
  const [heads, rest] = [ranked.filter(({ index }) => index === 0), ranked.filter(({ index }) => index > 0)]
  const worst = (a: (typeof ranked)[number], b: typeof a) =>
    a.rank - b.rank || a.order - b.order || a.entry.episode.beganAt - b.entry.episode.beganAt
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

/** Stable: the order within a severity stays. */
export const mostSevereFirst = <T>(items: readonly T[], alertOf: (item: T) => { level: string }): T[] =>
  items.toSorted((a, b) => Number(isCritical(alertOf(b))) - Number(isCritical(alertOf(a))))
