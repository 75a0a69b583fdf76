import { useSites } from '../sources/sites.tsx'
import { SearchTips } from './search-tips.tsx'
import { withSiteTip } from './site-tip.ts'

interface SiteTipsProps {
  /** the rules of the search */
  intro: string
  /** the things that it finds */
  things: string
}

/** Explains `site:` beside a search that needs no other tips. Absent without sites. */
export const SiteTips = ({ intro, things }: SiteTipsProps) =>
  useSites().size > 0 && (
    <SearchTips {...withSiteTip({ title: 'Search tips', intro, tips: [] }, things, true)} />
  )
