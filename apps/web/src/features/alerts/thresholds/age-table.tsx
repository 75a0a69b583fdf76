import { type AgeDefaults, alertDefaults } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'
import { isSaveKey } from '../save-key.ts'
import { clampDays } from '../saved-form.ts'
import { Toggle } from './controls.tsx'
import { cellName, useEditing } from './editing.tsx'
import { SwitchLine } from './switch-line.tsx'
import { sectionId } from './threshold-table.tsx'
import { UntestedLine } from './untested-line.tsx'
import { readTyped } from './value.ts'

/** Age limits of backups or snapshots. */
export function AgeTable({ kind }: { kind: AgeKind }) {
  const { config, change } = useConfig()
  const { title, field, why } = ages[kind]
  const editing = useEditing()
  const cell = cellName(`ages:${kind}`, 'days')
  const days = config[field]
  const set = (over: Partial<AgeDefaults>) =>
    change((before) => {
      const after = clampDays({ ...before[field], ...over })
      return isEqual(after, before[field]) ? before : { ...before, [field]: after }
    })
  return (
    <Card id={sectionId(kind)} aria-label={title} className="scroll-mt-16">
      <header className="border-b border-line px-3 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
      </header>
      {editing.last === cell && <UntestedLine why={why} />}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 bg-hover px-3 py-2 text-table">
        <span className="flex min-w-48 flex-1 items-center gap-2">
          <Toggle
            label={`Alerts of all: ${title}`}
            checked={days.enabled}
            onChange={(enabled) => set({ enabled })}
            tabIndex={0}
          />
          <span className={cx('font-semibold', !days.enabled && 'text-ink-3')}>Global Defaults</span>
        </span>
        <DaysField
          label="Warning Days"
          of={title}
          days={days.warningDays}
          onEdit={() => editing.start(cell)}
          onEnd={() => editing.end(cell)}
          onChange={(warningDays) => set({ warningDays })}
        />
        <DaysField
          label="Critical Days"
          of={title}
          days={days.criticalDays}
          onEdit={() => editing.start(cell)}
          onEnd={() => editing.end(cell)}
          onChange={(criticalDays) => set({ criticalDays })}
        />
        <IconButton
          label={`Reset defaults of ${title}`}
          className="size-6 disabled:opacity-40"
          disabled={isEqual(days, alertDefaults[field])}
          onClick={() => set(alertDefaults[field])}
          {...tip('Reset to factory defaults')}
        >
          <RotateCcw aria-hidden size={13} />
        </IconButton>
      </div>
      {kind === 'backups' && (
        <SwitchLine
          title="Failed backup runs"
          about="Until a later run succeeds"
          allOff="disableAllFailedBackups"
        />
      )}
    </Card>
  )
}

interface DaysFieldProps {
  label: string
  of: string
  days: number
  onEdit: () => void
  onEnd: () => void
  onChange: (days: number) => void
}

function DaysField({ label, of, days, onEdit, onEnd, onChange }: DaysFieldProps) {
  const [typed, setTyped] = useState<string>()
  const cancel = () => {
    setTyped(undefined)
    onEnd()
  }
  const end = () => {
    const read = typed === undefined ? undefined : readTyped(typed, { min: 0, max: 10_000, isWhole: true })
    if (read?.what === 'value') onChange(read.value)
    cancel()
  }
  return (
    <label className="flex items-center gap-2 max-sm:order-1">
      <span className="text-xs text-ink-2">{label}</span>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={`${label} of ${of}`}
        value={typed ?? days}
        onChange={(event) => {
          onEdit()
          setTyped(event.target.value)
        }}
        onBlur={end}
        onKeyDown={(event) => {
          if (isSaveKey(event)) return end()
          event.stopPropagation()
          if (event.key === 'Enter') end()
          if (event.key === 'Escape') cancel()
        }}
        className="h-7 w-16 rounded-md border border-control bg-surface px-2 text-right text-ink tabular-nums"
      />
    </label>
  )
}

/** Titles and configuration fields by kind. */
const ages = {
  backups: { title: 'Backups', field: 'backupDefaults', why: 'the age of backups is not recorded' },
  snapshots: {
    title: 'Snapshot Age',
    field: 'snapshotDefaults',
    why: 'the age of snapshots is not recorded',
  },
} as const

type AgeKind = keyof typeof ages
