import type { Unsaved } from '../config-edits.tsx'
import { hostsPart } from './allowed-hosts.tsx'
import { usePartEdits } from './edits.tsx'
import { channelKindUis } from './kinds.ts'
import type { Part } from './part.ts'

/** Allowed hosts are saved first, because the server validates channel settings against them. */
const parts: readonly Part<unknown, object>[] = [
  hostsPart,
  ...Object.values(channelKindUis).flatMap(({ part }) => part ?? []),
]

/** For the banner of all sections. */
export const useDestinationEdits = (): readonly Unsaved[] => parts.map(usePartEdits)
