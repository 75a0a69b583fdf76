import { mainSite } from '@pulse/contract'
import type { SearchFields } from './search.ts'

/** The site of a source by its id. */
export type SiteOf = (source: string) => string

/** The fields of records of sources, and `site`. */
export function withSite<Subject extends readonly [record: { source: string }, ...context: unknown[]]>(
  fields: SearchFields<Subject>,
  siteOf: SiteOf,
): SearchFields<Subject> {
  return { ...fields, texts: new Map([...fields.texts, ['site', (...[{ source }]) => siteOf(source)]]) }
}

export interface SiteTerms {
  /** in lower case; a site must contain all of them */
  sites: readonly string[]
  /** the text without them */
  rest: string
}

const SITE = 'site:'

/**
 * For searches without fields of their own: takes the words that name a site, such as `site:berlin`, out of
 * the text. `site:` alone is still being typed and is ignored.
 */
export function siteTerms(search: string): SiteTerms {
  if (!search.toLowerCase().includes(SITE)) return { sites: [], rest: search }
  const words = search.split(/[\s,]+/)
  const isSite = (word: string) => word.toLowerCase().startsWith(SITE)
  return {
    sites: words.filter(isSite).flatMap((word) => word.slice(SITE.length).toLowerCase() || []),
    rest: words.filter((word) => !isSite(word)).join(' '),
  }
}

/** Whether the site is meant by all terms. Undefined: the main site. */
export function isOfSites(site: string | undefined, { sites }: Pick<SiteTerms, 'sites'>): boolean {
  if (sites.length === 0) return true
  const name = (site ?? mainSite).toLowerCase()
  return sites.every((wanted) => name.includes(wanted))
}
