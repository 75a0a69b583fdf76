import { type AlertSchedule, scheduleBounds } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { CSSProperties } from 'react'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { useConfig } from '../config-edits.tsx'
import { Block } from './block.tsx'
import {
  asDefault,
  groupingMinutes,
  isCooldownOn,
  summarize,
  withCooldown,
  withGrouping,
  withGroupingMinutes,
} from './edit.ts'
import { Escalation } from './escalation.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { WholeField } from '../whole-field.tsx'

/** When notifications are paused, grouped and limited. */
export default function ScheduleSection() {
  return (
    <AdminOnly to="to change the schedule">
      <Schedule />
    </AdminOnly>
  )
}

type Edit = (schedule: AlertSchedule) => AlertSchedule

function Schedule() {
  const { config, change } = useConfig()
  const { schedule } = config
  const edit = (to: Edit) =>
    change((before) => {
      const after = to(before.schedule)
      return isEqual(after, before.schedule) ? before : { ...before, schedule: after }
    })
  const summary = summarize(schedule)
  return (
    <>
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <h2 className="flex-1 text-sm font-semibold sm:flex-none">Alert scheduling</h2>
        <ul
          aria-label="Active settings"
          className="order-last flex min-w-0 basis-full flex-wrap gap-1.5 sm:order-none sm:flex-1 sm:basis-64"
        >
          {summary.map((text) => (
            <li key={text} className="flex">
              <Badge>{text}</Badge>
            </li>
          ))}
          {summary.length === 0 && <li className="text-xs text-ink-3">Everything is sent at once, always</li>}
        </ul>
        <Button disabled={isEqual(schedule, asDefault(schedule))} onClick={() => edit(asDefault)}>
          Reset to defaults
        </Button>
      </Card>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <QuietHours
            hours={schedule.quietHours}
            onChange={(hours) =>
              edit((before) => ({ ...before, quietHours: { ...before.quietHours, ...hours } }))
            }
          />
          <Cooldown schedule={schedule} onChange={edit} />
        </div>
        <div className="grid gap-4">
          <Grouping schedule={schedule} onChange={edit} />
          <Escalation schedule={schedule} onChange={edit} />
        </div>
      </div>
    </>
  )
}

interface BlockProps {
  schedule: AlertSchedule
  onChange: (edit: Edit) => void
}

function Cooldown({ schedule, onChange }: BlockProps) {
  return (
    <Block
      title="Cooldown"
      description={
        isCooldownOn(schedule)
          ? 'Minimum time between reminders for an ongoing alert.'
          : 'Off: an ongoing alert is sent once, without reminders.'
      }
      enabled={isCooldownOn(schedule)}
      onChange={(on) => onChange((before) => withCooldown(before, on))}
    >
      <div className="flex flex-wrap gap-6">
        <WholeField
          label="Cooldown period"
          unit="minutes"
          hint="5 to 120"
          value={schedule.cooldown}
          bounds={scheduleBounds.cooldown}
          onChange={(cooldown) => onChange((before) => ({ ...before, cooldown }))}
        />
        <WholeField
          label="Max alerts / hour"
          unit="per alert"
          hint="1 to 10"
          value={schedule.maxAlertsHour}
          bounds={scheduleBounds.maxAlertsHour}
          onChange={(maxAlertsHour) => onChange((before) => ({ ...before, maxAlertsHour }))}
        />
      </div>
    </Block>
  )
}

function Grouping({ schedule, onChange }: BlockProps) {
  const { enabled, byNode, byGuest } = schedule.grouping
  const minutes = groupingMinutes(schedule)
  const { min, max } = scheduleBounds.groupingMinutes
  return (
    <Block
      title="Grouping"
      description="Alerts raised within one window are sent as one message."
      enabled={enabled}
      onChange={(on) => onChange((before) => withGrouping(before, { enabled: on }))}
    >
      <label className="flex flex-col gap-1">
        <span className="flex justify-between text-table font-medium">
          Grouping window <span className="text-ink-2 tabular-nums">{minutes} min</span>
        </span>
        <input
          type="range"
          min={min}
          max={max}
          step={1}
          aria-label="Grouping window"
          aria-valuetext={`${minutes} minutes`}
          value={minutes}
          onChange={(event) => {
            const chosen = Number.parseInt(event.target.value, 10)
            onChange((before) => withGroupingMinutes(before, chosen))
          }}
          className="slider"
          style={{ '--filled': `${((minutes - min) / (max - min)) * 100}%` } as CSSProperties}
        />
      </label>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-table font-medium">Grouping strategy</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Checkbox
            label="By Node"
            checked={byNode}
            onChange={(on) => onChange((before) => withGrouping(before, { byNode: on }))}
          />
          <Checkbox
            label="By Guest"
            checked={byGuest}
            onChange={(on) => onChange((before) => withGrouping(before, { byGuest: on }))}
          />
        </div>
      </fieldset>
    </Block>
  )
}
