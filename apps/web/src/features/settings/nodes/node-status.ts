import type { NodeConfig, SourceState } from '@pulse/contract'
import type { UiTone } from '../../../ui/tone-class.ts'

interface ShownStatus {
  tone: UiTone
  label: string
  pulsing?: boolean
}

const offline: ShownStatus = { tone: 'red', label: 'Offline' }
const failed: ShownStatus = { tone: 'red', label: 'Error' }
const untrusted: ShownStatus = { tone: 'red', label: 'Certificate not trusted' }
const online: ShownStatus = { tone: 'green', label: 'Online' }

const saved: Record<NodeConfig['status'], ShownStatus> = {
  pending: { tone: 'yellow', label: 'Pending', pulsing: true },
  connected: online,
  error: failed,
  offline,
  disconnected: { tone: 'red', label: 'Disconnected' },
}

/** What the live state says comes before what was saved; before the first answer it says nothing. */
export function shownStatus(
  { status, untrusted: isUntrusted }: Pick<NodeConfig, 'status' | 'untrusted'>,
  live: SourceState | undefined,
): ShownStatus {
  switch (live?.health) {
    case 'healthy':
      return online
    case 'degraded':
      return { tone: 'yellow', label: 'Degraded' }
    case 'error':
      if (live.untrusted) return untrusted
      return live.lastSeen === undefined || live.refused ? failed : offline
    default:
      if (isUntrusted) return untrusted
      return saved[status] ?? { tone: 'neutral', label: 'Unknown' }
  }
}

/** Why it is not simply online. */
export const statusReason = (node: NodeConfig, live: SourceState | undefined): string | undefined =>
  live && live.health !== 'unknown' ? live.error : node.error
