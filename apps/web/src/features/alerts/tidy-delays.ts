/** Trims and lower-cases keys, drops invalid delays, and rounds the others to whole seconds. */
export function tidyDelays(
  delays: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Record<string, Record<string, number>> {
  const kinds = Object.entries(delays).map(([kind, metrics]) => [
    tidyKey(kind),
    Object.fromEntries(
      Object.entries(metrics)
        .filter(([key, seconds]) => tidyKey(key) && Number.isFinite(seconds) && seconds >= 0)
        .map(([key, seconds]) => [tidyKey(key), Math.round(seconds)]),
    ),
  ])
  return Object.fromEntries(
    kinds.filter(([kind, metrics]) => kind && Object.keys(metrics!).length > 0),
  ) as Record<string, Record<string, number>>
}

const tidyKey = (key: string) => key.trim().toLowerCase()
