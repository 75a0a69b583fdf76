import type { AlertCheck } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Facts } from './facts.tsx'
import { TextList } from './findings-panel.tsx'

const states: Record<AlertCheck['activationState'], string> = {
  active: 'Active',
  pending_review: 'Not activated',
  snoozed: 'Snoozed',
}

/** Whether alerts can be heard of, and what in their settings makes too much of them. */
export function AlertCheckPanel({ check }: { check: AlertCheck }) {
  const { enabled, activationState, active, acknowledged, historyEntries, notes = [] } = check
  const list = notes.length > 0 && <TextList label="Notes on alerts" texts={notes} />
  const isAdvised = check.missingCooldown || check.missingGroupingWindow
  return (
    <Panel title="Alerts">
      <div className="flex flex-col gap-3">
        <Facts
          facts={[
            { label: 'State', value: enabled ? states[activationState] : 'Switched off' },
            { label: 'Active', value: formatNumber(active) },
            { label: 'Acknowledged', value: formatNumber(acknowledged) },
            { label: 'In the history', value: formatNumber(historyEntries) },
            { label: 'Cooldown', value: check.missingCooldown ? 'Missing' : 'Set' },
            { label: 'Grouping window', value: check.missingGroupingWindow ? 'Missing' : 'Set' },
          ]}
        />
        {isAdvised ? <Notice tone="yellow">{list}</Notice> : list}
      </div>
    </Panel>
  )
}
