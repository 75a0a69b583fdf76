import { type UpdateHistoryEntry, updateOutcomes } from '@pulse/contract'
import type { UiTone } from '../../../ui/tone-class.ts'

type Outcome = UpdateHistoryEntry['status']

export const outcomeTexts: Record<Outcome, string> = {
  in_progress: 'In progress',
  success: 'Success',
  failed: 'Failed',
  rolled_back: 'Rolled back',
  cancelled: 'Cancelled',
}

export const outcomeTones: Record<Outcome, UiTone> = {
  in_progress: 'accent',
  success: 'green',
  failed: 'red',
  rolled_back: 'orange',
  cancelled: 'neutral',
}

export const outcomeChoices: readonly { value: Outcome | 'all'; label: string }[] = [
  { value: 'all', label: 'All results' },
  ...updateOutcomes.map((value) => ({ value, label: outcomeTexts[value] })),
]

export const actionTexts: Record<UpdateHistoryEntry['action'], string> = {
  update: 'Update',
  rollback: 'Rollback',
}

const initiators: Record<UpdateHistoryEntry['initiated_by'], string> = {
  user: 'User',
  auto: 'Automatic update',
  api: 'API',
}
const ways: Record<UpdateHistoryEntry['initiated_via'], string> = {
  ui: 'browser',
  cli: 'command line',
  script: 'script',
  webhook: 'webhook',
}

/** Automatic updates have no initiating channel. */
export const initiatorText = ({ initiated_by, initiated_via }: UpdateHistoryEntry): string =>
  initiated_by === 'auto' ? initiators.auto : `${initiators[initiated_by]} (${ways[initiated_via]})`

export const channelTexts: Record<UpdateHistoryEntry['channel'], string> = {
  stable: 'Stable',
  rc: 'Release candidate',
}
