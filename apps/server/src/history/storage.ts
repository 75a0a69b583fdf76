import type { HistoryStorage } from '@pulse/contract'
import { dayMs } from '@pulse/domain'
import type { StoredSizes } from '../db/history/messages.ts'

/** What each tier costs, measured on what it has. */
export const toStorage = (
  { fileBytes, oldest, tiers }: StoredSizes,
  samplesIn: string | undefined,
): HistoryStorage => ({
  fileBytes,
  ...(samplesIn !== undefined && { samplesIn }),
  ...(oldest !== undefined && { oldest }),
  tiers: tiers.map(({ tier, bytes, coveredMs }) => ({
    tier,
    bytes,
    ...(coveredMs > 0 && { bytesPerDay: Math.round((bytes / coveredMs) * dayMs) }),
  })),
})
