import type { SearchTipsProps } from './search-tips.tsx'

/** The tips, and one about `site:` if there are sites. */
export function withSiteTip(tips: SearchTipsProps, things: string, hasSites: boolean): SearchTipsProps {
  if (!hasSites) return tips
  const tip = { code: 'site:berlin', description: `${things} of a site; site:main is where Pulse runs` }
  return { ...tips, tips: [...tips.tips, tip] }
}
