import { META_ID } from '@pulse/contract'
import type { LiveReader } from '../../../live/store.ts'
import { useLive } from '../../../live/use-live.ts'

/** Connections can have sites: several processes monitor them, or one has a site already. */
export const useHasSites = (): boolean => useLive(kinds, hasSites)

const kinds = ['meta', 'sources'] as const

const hasSites = (live: LiveReader): boolean =>
  live.get('meta', META_ID)?.isCluster === true ||
  [...live.records('sources').values()].some(({ site }) => site !== undefined)
