import { isEqual } from '@pulse/domain'
import { useLive } from '../../live/use-live.ts'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { type LostSite, selectLostSites } from './sites.tsx'

const kinds = ['sources'] as const

const Line = lazyPart<LostSite>('Sites', () => import('./lost-site-line.tsx'))

/** One line for each site without word. Whether its machines run is unknown; their figures are old. */
export const LostSites = () =>
  useLive(kinds, selectLostSites, isEqual).map((lost) => <Line key={lost.site} {...lost} />)
