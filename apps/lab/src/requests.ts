export interface RequestFilter {
  cluster?: string
  node?: string
  method?: string
  /** A path or path template below /api2/json; `*` matches any text. */
  path?: string
}

export interface RequestCount {
  cluster: string
  node: string
  method: string
  /** As the API documentation writes it, e.g. `/nodes/{node}/status`. */
  template: string
  count: number
}

export interface RequestCounts {
  total: number
  /** The maximum number of concurrent requests to each node. */
  maxInFlight: Record<string, number>
  entries: RequestCount[]
}

interface Receiver {
  cluster: string
  node: string
}

export interface RequestLog {
  /** Returns a function to call when the request has ended. */
  begin(receiver: Receiver, method: string, template: string, path: string): () => void
  counts(filter?: RequestFilter): RequestCounts
  reset(): void
}

interface Entry extends RequestCount {
  paths: Map<string, number>
}

const maxPathsPerEntry = 50_000

export function createRequestLog(): RequestLog {
  const entries = new Map<string, Entry>()
  const inFlight = new Map<string, { now: number; most: number }>()

  return {
    begin({ cluster, node }, method, template, path) {
      const key = `${cluster} ${node} ${method} ${template}`
      let entry = entries.get(key)
      if (!entry) {
        entry = { cluster, node, method, template, count: 0, paths: new Map() }
        entries.set(key, entry)
      }
      entry.count++
      if (entry.paths.has(path) || entry.paths.size < maxPathsPerEntry) {
        entry.paths.set(path, (entry.paths.get(path) ?? 0) + 1)
      }
      const receiver = `${cluster}/${node}`
      const flights = inFlight.get(receiver) ?? { now: 0, most: 0 }
      inFlight.set(receiver, flights)
      flights.now++
      flights.most = Math.max(flights.most, flights.now)
      return () => {
        flights.now--
      }
    },
    counts(filter = {}) {
      const found = [...entries.values()].flatMap((entry) => matching(entry, filter))
      return {
        total: found.reduce((sum, { count }) => sum + count, 0),
        maxInFlight: Object.fromEntries([...inFlight].map(([receiver, { most }]) => [receiver, most])),
        entries: found,
      }
    },
    reset() {
      entries.clear()
      for (const flights of inFlight.values()) flights.most = flights.now
    },
  }
}

function matching(entry: Entry, filter: RequestFilter): RequestCount[] {
  const { paths, ...counted } = entry
  if (filter.cluster !== undefined && filter.cluster !== entry.cluster) return []
  if (filter.node !== undefined && filter.node !== entry.node) return []
  if (filter.method !== undefined && filter.method !== entry.method) return []
  if (filter.path === undefined || filter.path === entry.template) return [counted]
  const pattern = toPattern(filter.path)
  const count = [...paths].reduce((sum, [path, times]) => (pattern.test(path) ? sum + times : sum), 0)
  return count > 0 ? [{ ...counted, count }] : []
}

/** Compiles a text in which `*` matches any text. */
export function toPattern(text: string): RegExp {
  const escaped = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}
