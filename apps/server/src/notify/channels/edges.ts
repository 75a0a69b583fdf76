import type { Clock } from '@pulse/domain'
import type { Resolve } from '../../outbound/lookup.ts'

/** What the ways out are made with. */
export interface ChannelEdges {
  clock: Clock
  /** hosts that an administrator named, as they are now */
  allowedHosts: () => readonly string[]
  /** `PULSE_APPRISE_PATH` is read from it; that of the process when absent */
  env?: NodeJS.ProcessEnv
  /** the name server */
  resolve?: Resolve
  /** authorities that are trusted besides the known ones */
  ca?: string
}
