import { type AlertSchedule, type Weekday, weekdays } from '@pulse/contract'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { cx } from '../../../ui/cx.ts'
import { Select } from '../../../ui/select.tsx'
import { Block } from './block.tsx'
import { daysHint } from './edit.ts'
import { withZone } from './zones.ts'

type Hours = AlertSchedule['quietHours']

interface QuietHoursProps {
  hours: Hours
  onChange: (change: Partial<Hours>) => void
}

const categories = [
  { id: 'performance', label: 'Performance', hint: 'CPU, memory, disk, network' },
  { id: 'storage', label: 'Storage', hint: 'Usage, disk health, ZFS' },
  { id: 'offline', label: 'Offline and power state', hint: 'Unreachable, powered off' },
] as const

/** Mutes warnings during quiet hours, and critical alerts of the chosen categories. */
export function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { start, end, timezone, days, suppress } = hours
  return (
    <Block
      title="Quiet hours"
      description="Warnings are not sent during these hours; critical alerts are, unless chosen below."
      enabled={hours.enabled}
      onChange={(enabled) => onChange({ enabled })}
    >
      <div className="flex flex-wrap items-end gap-4">
        <TimeField label="Start time" value={start} onChange={(time) => onChange({ start: time })} />
        <TimeField label="End time" value={end} onChange={(time) => onChange({ end: time })} />
        <Select
          label="Timezone"
          className="min-w-52"
          value={timezone}
          options={withZone(timezone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          onChange={(zone) => onChange({ timezone: zone })}
        />
      </div>
      <Days days={days} onChange={(day, on) => onChange({ days: { ...days, [day]: on } })} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-table font-medium">Also suppress critical alerts about</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {categories.map(({ id, label, hint }) => (
            <Checkbox
              key={id}
              label={label}
              hint={hint}
              checked={suppress[id]}
              onChange={(on) => onChange({ suppress: { ...suppress, [id]: on } })}
            />
          ))}
        </div>
      </fieldset>
    </Block>
  )
}

interface TimeFieldProps {
  label: string
  value: string
  onChange: (time: string) => void
}

const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <label className="flex flex-col gap-1">
    <span className="text-table font-medium">{label}</span>
    <input
      type="time"
      value={value}
      // an empty value is not a time: keep the old one
      onChange={(event) => event.target.value && onChange(event.target.value)}
      className="h-9 rounded-md border border-control bg-surface px-2.5 text-table text-ink tabular-nums"
    />
  </label>
)

interface DaysProps {
  days: Hours['days']
  onChange: (day: Weekday, on: boolean) => void
}

function Days({ days, onChange }: DaysProps) {
  const hint = daysHint(days)
  return (
    <fieldset>
      <legend className="pb-1 text-table font-medium">Quiet days</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {weekdays.map((day) => {
          const name = day.charAt(0).toUpperCase() + day.slice(1)
          return (
            <button
              key={day}
              type="button"
              aria-pressed={days[day]}
              onClick={() => onChange(day, !days[day])}
              className={cx(
                'h-8 min-w-11 rounded-md border px-2 text-xs font-medium',
                days[day]
                  ? 'border-accent-fill bg-accent-soft text-accent'
                  : 'border-control text-ink-2 hover:bg-hover',
              )}
            >
              <span aria-hidden>{name.slice(0, 3)}</span>
              <span className="sr-only">{name}</span>
            </button>
          )
        })}
        {hint && <span className="text-xs text-ink-3">{hint}</span>}
      </div>
    </fieldset>
  )
}
