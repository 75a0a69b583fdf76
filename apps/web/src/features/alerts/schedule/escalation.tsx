import { type AlertSchedule, alertConfigLimits, scheduleBounds } from '@pulse/contract'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { Block } from './block.tsx'
import { type EscalationLevel, withLevel, withLevelAdded, withoutLevel } from './edit.ts'
import { WholeField } from '../whole-field.tsx'

interface EscalationProps {
  schedule: AlertSchedule
  onChange: (edit: (schedule: AlertSchedule) => AlertSchedule) => void
}

const targets: readonly { value: EscalationLevel['notify']; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'all', label: 'All' },
]

/** Who is notified when an alert is not acknowledged. */
export function Escalation({ schedule, onChange }: EscalationProps) {
  const { enabled, levels } = schedule.escalation
  return (
    <Block
      title="Escalation"
      description="Re-send unacknowledged alerts, optionally to more channels."
      enabled={enabled}
      onChange={(on) =>
        onChange((before) => ({ ...before, escalation: { ...before.escalation, enabled: on } }))
      }
    >
      {levels.length > 0 && (
        <ol aria-label="Escalation levels" className="flex flex-col gap-2">
          {levels.map((level, at) => (
            <li key={at} className="flex flex-wrap items-center gap-2 text-table">
              <span>After</span>
              <WholeField
                hideLabel
                label={`Level ${at + 1}: after minutes`}
                value={level.after}
                bounds={scheduleBounds.escalationAfter}
                unit="min"
                onChange={(after) => onChange((before) => withLevel(before, at, { after }))}
              />
              <Select
                hideLabel
                label={`Level ${at + 1}: notify`}
                value={level.notify}
                options={targets}
                onChange={(notify) => onChange((before) => withLevel(before, at, { notify }))}
              />
              <IconButton
                label={`Remove level ${at + 1}`}
                onClick={() => onChange((before) => withoutLevel(before, at))}
              >
                <Trash2 aria-hidden size={14} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          disabled={levels.length >= alertConfigLimits.escalationLevels}
          onClick={() => onChange(withLevelAdded)}
        >
          <Plus aria-hidden size={14} />
          Add Escalation Level
        </Button>
      </div>
    </Block>
  )
}
