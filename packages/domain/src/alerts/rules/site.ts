import { mainSite, type SourceState } from '@pulse/contract'
import { judged } from '../condition.ts'
import type { Judging, Rule } from '../judging.ts'

const minuteMs = 60_000

/** Silence of a site until its alert fires, and until it is critical. */
export const siteLimitsMs = { warning: 2 * minuteMs, critical: 10 * minuteMs } as const

export const siteUnreachableId = (site: string): string => `site-unreachable-${site}`

/** The start of the silence of each site, by its first unreachable source. */
const lostSites = (on: Judging): ReadonlyMap<string, number> =>
  on.once('lost sites', () => {
    const sites = new Map<string, number>()
    for (const { site = mainSite, siteUnreachableSince: since } of on.tables.sources.values())
      if (since !== undefined) sites.set(site, Math.min(since, sites.get(site) ?? Infinity))
    return sites
  })

/** Nothing arrives from a site. All its sources report the same condition. */
export const siteUnreachable: Rule<SourceState> = {
  name: 'site-unreachable',
  seesStale: true,
  seesLostSite: true,
  judge({ site = mainSite, siteUnreachableSince, health }, on) {
    const id = siteUnreachableId(site)
    const isAsked = site !== mainSite && on.isWatched
    if (siteUnreachableSince === undefined && !isAsked && !on.isOpen(id)) return
    const since = lostSites(on).get(site)
    const lastsMs = since === undefined ? 0 : Math.max(0, on.wallNow - since)
    const next = Object.values(siteLimitsMs).find((ms) => lastsMs < ms)
    if (since !== undefined && next !== undefined) on.recheckIn(next - lastsMs)
    const isBad = lastsMs >= siteLimitsMs.warning
    if (!isBad && !on.isFollowed(id)) return
    const off = on.config.enabled ? undefined : 'Alerts are switched off.'
    // after a start, before anything is known about the site
    const held = !isBad && health === 'unknown' ? 'It has not answered yet.' : undefined
    on.emit({
      id,
      type: 'site-unreachable',
      ...(off === undefined ? judged(isBad, held) : { verdict: 'off', reason: off }),
      resource: { id: `site:${site}`, name: site, node: '', instance: '', type: 'Site' },
      level: lastsMs >= siteLimitsMs.critical ? 'critical' : 'warning',
      since,
      message: `No word from site ${site}: the current state of its connections is unknown`,
    })
  },
}
