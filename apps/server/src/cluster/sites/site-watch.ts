import type { Clock } from '@pulse/domain'
import { createTicker } from '../../timing/ticker.ts'
import type { PresentProcess } from '../presence.ts'

const lookMs = 3_000
/** Long enough for another process of the site to take over the sources of one that has ended. */
const lostAfterMs = 15_000
/** A site that is back has this time until its first word counts. */
const firstWordMs = 30_000

export interface SiteWatchEdges {
  clock: Clock
  /** the processes; rejects without a line to them */
  present: () => Promise<readonly Pick<PresentProcess, 'site' | 'roles'>[]>
  /** of all connections: their sites */
  sites: () => ReadonlyMap<string, string>
  /** The sources that this process collects itself. */
  isOwn: (source: string) => boolean
  /** monotonic: when something of a source was received last */
  heardAt: (source: string) => number
  /** `since`: ms since 1970; undefined: the site is back. */
  mark: (sources: readonly string[], since: number | undefined) => Promise<void>
  onFault: (error: unknown) => void
}

interface Site {
  /** monotonic */
  seenAt: number
  /** set while it is unreachable: ms since 1970 */
  since?: number | undefined
  /** monotonic: since when a process of it is there again */
  returnedAt?: number | undefined
  /** what was marked */
  sources: Set<string>
}

/** Finds sites without any process that collects: nothing is known of their hosts, which may be well. */
export function watchSites(edges: SiteWatchEdges): { stop(): void } {
  const { clock, present, sites, isOwn, heardAt, mark, onFault } = edges
  const known = new Map<string, Site>()

  async function look() {
    const cards = await present().catch(() => [])
    const alive = new Set(cards.filter(({ roles }) => roles.includes('collect')).map(({ site }) => site))
    const sourcesOf = Map.groupBy([...sites()], ([, site]) => site)
    // what belongs to another site now, or to none
    for (const [name, site] of known) {
      const moved = [...site.sources].filter((source) => sites().get(source) !== name)
      for (const source of moved) site.sources.delete(source)
      if (moved.length > 0) await mark(moved, undefined)
      if (!sourcesOf.has(name)) known.delete(name)
    }
    for (const [name, entries] of sourcesOf) {
      const site = known.get(name) ?? { seenAt: clock.monotonic(), sources: new Set<string>() }
      known.set(name, site)
      await judge(
        site,
        alive.has(name),
        entries.map(([source]) => source).filter((source) => !isOwn(source)),
      )
    }
  }

  async function judge(site: Site, isAlive: boolean, sources: readonly string[]) {
    const now = clock.monotonic()
    if (!isAlive) {
      site.returnedAt = undefined
      const lostMs = now - site.seenAt
      if (lostMs < lostAfterMs) return
      site.since ??= clock.now() - lostMs
      const fresh = sources.filter((source) => !site.sources.has(source))
      for (const source of fresh) site.sources.add(source)
      if (fresh.length > 0) await mark(fresh, site.since)
      return
    }
    site.seenAt = now
    if (site.since === undefined) return
    const returnedAt = (site.returnedAt ??= now)
    const hasSpoken = [...site.sources].some((source) => isOwn(source) || heardAt(source) > returnedAt)
    if (!hasSpoken && now - returnedAt < firstWordMs) return
    const marked = [...site.sources]
    site.since = undefined
    site.returnedAt = undefined
    site.sources.clear()
    await mark(marked, undefined)
  }

  const looking = createTicker({ clock, intervalMs: lookMs, run: look, onError: onFault })
  return { stop: looking.stop }
}
