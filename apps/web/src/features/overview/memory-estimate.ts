import type { MemoryEstimate } from '@pulse/contract'

/** Why a guest's memory is an estimate. */
export const estimateReason: Record<MemoryEstimate, string> = {
  'agent-pending': 'An estimate: it counts page cache until the guest agent has answered.',
  'agent-silent': 'An estimate: the guest agent has not answered for a while, so it may count page cache.',
}
