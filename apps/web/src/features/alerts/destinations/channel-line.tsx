import type { ChannelStatus } from '@pulse/contract'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { MessageText } from '../../../ui/message-text.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { When } from './when.tsx'

/** State of one channel; a notice while it fails. */
export function ChannelLine({ channel }: { channel: ChannelStatus | undefined }) {
  if (!channel) return null
  const { failingSince, lastError, nextAttemptAt, lastDeliveredAt, waiting } = channel
  const queue = waiting > 0 ? `${formatNumber(waiting)} queued.` : ''
  if (failingSince !== undefined) {
    return (
      <Notice tone="red" title={`Failing since ${formatMoment(Date.parse(failingSince))}`}>
        <p className="wrap-anywhere">
          <MessageText text={lastError ?? ''} />
        </p>
        <p>
          {queue}
          {nextAttemptAt !== undefined && ` Next attempt: ${formatMoment(Date.parse(nextAttemptAt))}.`}
        </p>
      </Notice>
    )
  }
  return (
    <p className="text-xs text-ink-2">
      {lastDeliveredAt === undefined ? (
        'No alerts sent yet.'
      ) : (
        <>
          Last delivered <When time={lastDeliveredAt} />.
        </>
      )}
      {queue && ` ${queue}`}
    </p>
  )
}
