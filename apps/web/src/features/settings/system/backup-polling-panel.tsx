import { useState } from 'react'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import {
  backupMinutes,
  backupOptions,
  customInterval,
  firstCustomSeconds,
  isUsualInterval,
  minutesOf,
  secondsOf,
} from './interval-options.ts'
import { lockedHint, type SystemForm } from './system-form.ts'

export function BackupPollingPanel({ form }: { form: SystemForm }) {
  const { values, change, isLocked } = form
  const { backupPollingEnabled: enabled, backupPollingInterval: seconds } = values
  // a standard interval typed as custom stays custom while it is in force
  const [typed, setTyped] = useState<number>()
  const custom = typed === seconds || !isUsualInterval(seconds)
  const fixed = isLocked('backupPollingInterval')

  const choose = (value: string) => {
    const isCustom = value === customInterval
    take(isCustom ? seconds || firstCustomSeconds : Number(value), isCustom)
  }
  const take = (backupPollingInterval: number, isTyped: boolean) => {
    setTyped(isTyped ? backupPollingInterval : undefined)
    change({ backupPollingInterval })
  }

  return (
    <Panel title="Backup polling" description="How often backups and snapshots are read from your servers.">
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
        <Switch
          label="Poll backups"
          hint={
            isLocked('backupPollingEnabled') ? lockedHint : 'Off: backups and snapshots are not read at all.'
          }
          checked={enabled}
          onChange={(backupPollingEnabled) => change({ backupPollingEnabled })}
          disabled={isLocked('backupPollingEnabled')}
        />
        <div className="flex flex-col gap-4">
          <div className="flex flex-col gap-1">
            <Select
              label="Polling interval"
              value={custom ? customInterval : String(seconds)}
              options={backupOptions}
              onChange={choose}
              disabled={fixed || !enabled}
            />
            <p className="text-xs text-ink-3">{fixed ? lockedHint : floorHint}</p>
          </div>
          {custom && (
            <CustomMinutes
              seconds={seconds}
              onChange={(interval) => take(interval, true)}
              disabled={fixed || !enabled}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}

/**
 * Data read from the hosts' file systems has minimum intervals of its own; a longer interval applies to all
 * of it.
 */
const floorHint =
  'At most: backup runs every 90 seconds, backup files every 5 minutes, replication every 17 minutes, ' +
  'jobs every 20 minutes, snapshots of a guest every 30 minutes. Changes by a task show sooner.'

interface CustomMinutesProps {
  seconds: number
  onChange: (seconds: number) => void
  disabled: boolean
}

const { min, max } = backupMinutes

/** Ignores invalid text, and discards it on blur. */
function CustomMinutes({ seconds, onChange, disabled }: CustomMinutesProps) {
  const [typed, setTyped] = useState<string>()
  const wrong = typed !== undefined && typed.trim() !== '' && secondsOf(typed) === undefined
  const type = (text: string) => {
    setTyped(text)
    const read = secondsOf(text)
    if (read !== undefined) onChange(read)
  }
  return (
    <TextField
      label="Custom interval in minutes"
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? minutesOf(seconds)}
      onChange={type}
      onBlur={() => setTyped(undefined)}
      hint={`Whole minutes from ${min} to ${max}, which is a week.`}
      error={wrong ? `Enter whole minutes from ${min} to ${max}.` : undefined}
      disabled={disabled}
    />
  )
}
