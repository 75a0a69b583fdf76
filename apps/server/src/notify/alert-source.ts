import type { AlertConfig } from '@pulse/contract'
import type { EpisodeEnd, SentNotice, StoredAlert } from '@pulse/domain'

/** The alerts as the notifications read them. */
export interface AlertSource {
  config: () => AlertConfig
  /** open alerts, as they are stored */
  stored: () => readonly StoredAlert[]
  /** when and why closed episodes ended */
  endsOf: (episodes: readonly string[]) => Promise<ReadonlyMap<string, EpisodeEnd>>
  /** Messages about these alerts were delivered. */
  notified: (notices: readonly SentNotice[]) => void
}
