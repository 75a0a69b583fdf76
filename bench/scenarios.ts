/** An estate to measure. */
export interface Scenario {
  name: string
  guests: number
  nodes: number
  clusters: number
  /** every node is a source of its own, without a cluster */
  standalone: boolean
  /** whether a browser is measured too: its cost depends on the guests, not on the number of sources */
  browser: boolean
  /** backups in all, on an additional backup server */
  backups?: number
}

/** The usual number of nodes for such an estate; a cluster has at most 25. */
const nodesFor: Record<number, number> = { 75: 5, 500: 10, 2500: 25, 10_000: 100 }

export function clustersOf(guests: number): Scenario {
  const nodes = nodesFor[guests] ?? Math.max(1, Math.ceil(guests / 100))
  return {
    name: `${guests.toLocaleString('en')} guests`,
    guests,
    nodes,
    clusters: Math.ceil(nodes / 25),
    standalone: false,
    browser: true,
  }
}

export function standaloneHosts(hosts: number, guests: number): Scenario {
  return {
    name: `${guests.toLocaleString('en')} guests on ${hosts} standalone hosts`,
    guests,
    nodes: hosts,
    clusters: hosts,
    standalone: true,
    browser: false,
  }
}

/** The scenarios of a complete run. */
export const everything: readonly Scenario[] = [
  ...[75, 500, 2500, 10_000].map(clustersOf),
  standaloneHosts(50, 2500),
]
