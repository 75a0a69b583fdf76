import type { ChannelInfo } from '@pulse/domain'
import type { RetryPolicy } from './retry-pause.ts'
import type { Notice, Outcome } from './channel.ts'

/** One way out as it is set up now. */
export interface ActiveWay {
  info: ChannelInfo
  /** of a webhook; empty otherwise */
  service: string
  /** where it leads, without secrets */
  address: string
  retryPolicy: RetryPolicy
  send(notice: Notice, signal: AbortSignal): Promise<Outcome>
}
