import { ChevronDown, ChevronRight, RotateCcw } from 'lucide-react'
import type { AlertConfig } from '@pulse/contract'
import { IconButton } from '../../../ui/button.tsx'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'
import { SeverityControl, Toggle } from './controls.tsx'
import { offlineState, type OfflineState } from './override.ts'
import { RowFrame } from './row-frame.tsx'
import {
  defaultTrigger,
  isFactory,
  tableOf,
  type ThresholdTable,
  withDefault,
  withFactory,
} from './tables.ts'
import { ValueCell } from './value-cell.tsx'

interface DefaultsRowProps {
  table: ThresholdTable
  phone: boolean
  tabIndex: 0 | -1
  delaysShown: boolean
  onShowDelays: (shown: boolean) => void
}

/** Defaults for all resources of a table without overrides. */
export function DefaultsRow({ table, phone, tabIndex, delaysShown, onShowDelays }: DefaultsRowProps) {
  const { config, change } = useConfig()
  const { title, metrics, allOff, withBlock, delays } = table
  const off = config[allOff]
  const Chevron = delaysShown ? ChevronDown : ChevronRight
  const isChanged = !isFactory(table, config)
  const note = noteOf(table)
  return (
    <RowFrame
      head
      phone={phone}
      dimmed={off}
      metrics={metrics}
      hasOffline={table.offline !== undefined}
      toggle={
        <Toggle
          label={`Alerts of all: ${title}`}
          checked={!off}
          onChange={(on) => change((before) => ({ ...before, [allOff]: !on }))}
          tabIndex={tabIndex}
          hint={off ? 'All alerts in this section are off' : 'Disable all alerts in this section'}
        />
      }
      name={
        <>
          <span className="min-w-8 truncate font-semibold text-ink">Global Defaults</span>
          {note !== undefined && (
            <span className="min-w-0 shrink-[99] truncate text-xs text-ink-3">{note}</span>
          )}
          {delays && (
            <button
              type="button"
              aria-expanded={delaysShown}
              tabIndex={tabIndex}
              onClick={() => onShowDelays(!delaysShown)}
              className="inline-flex h-6 shrink-0 items-center gap-0.5 text-xs text-ink-2 hover:text-ink"
              {...tip('Seconds a value must stay above its threshold')}
            >
              <Chevron aria-hidden size={12} />
              Delays
            </button>
          )}
        </>
      }
      value={(metric) => (
        <ValueCell
          row={`defaults:${table.kind}`}
          of={`${title}, global defaults`}
          metric={metric}
          trigger={defaultTrigger(table, config, metric.key)}
          isOwn={false}
          tabIndex={tabIndex}
          onChange={
            withBlock && !off
              ? (trigger) => change((before) => withDefault(table, before, metric, trigger))
              : undefined
          }
          {...(!withBlock && { why: 'As for Proxmox Nodes' })}
        />
      )}
      offline={<OfflineForAll table={table} tabIndex={tabIndex} />}
      actions={
        metrics.length > 0 &&
        (withBlock ?? delays) && (
          <IconButton
            label={`Reset defaults of ${title}`}
            className="size-6 disabled:opacity-40"
            tabIndex={tabIndex}
            disabled={!isChanged}
            onClick={() => change((before) => withFactory(table, before))}
            {...tip('Reset to factory defaults')}
          >
            <RotateCcw aria-hidden size={13} />
          </IconButton>
        )
      }
    />
  )
}

function OfflineForAll({ table, tabIndex }: { table: ThresholdTable; tabIndex: 0 | -1 }) {
  const { config, change } = useConfig()
  const { offline, allOff, title } = table
  if (!offline) return null
  const isLocked = config[allOff]
  if (offline.control === 'switch') {
    const off = isLocked || config[offline.allOff]
    return (
      <Toggle
        label={`Offline alerts of all: ${title}`}
        checked={!off}
        onChange={isLocked ? undefined : (on) => change((before) => ({ ...before, [offline.allOff]: !on }))}
        tabIndex={tabIndex}
        hint={off ? 'No alert when offline' : 'Alert when offline'}
      />
    )
  }
  const inherits = offline.allOff === undefined
  return (
    <SeverityControl
      of={`all: ${title}`}
      state={isLocked ? 'off' : offlineForAll(config, !inherits)}
      onChange={
        isLocked || inherits ? undefined : (state) => change((before) => withOfflineForAll(before, state))
      }
      tabIndex={tabIndex}
      hint={inherits ? 'As for VMs & Containers' : undefined}
    />
  )
}

const offlineForAll = (config: AlertConfig, isGuests: boolean): OfflineState =>
  isGuests && config.disableAllGuestsOffline ? 'off' : offlineState(undefined, config.guestDefaults)

function withOfflineForAll(config: AlertConfig, state: OfflineState): AlertConfig {
  const severity = state === 'off' ? config.guestDefaults.poweredOffSeverity : state
  return {
    ...config,
    disableAllGuestsOffline: false,
    guestDefaults: {
      ...config.guestDefaults,
      disableConnectivity: state === 'off',
      poweredOffSeverity: severity,
    },
  }
}

/** Notes which other table uses these values. */
function noteOf({ sharedWith, follows }: ThresholdTable): string | undefined {
  if (sharedWith) return `Shared with ${tableOf(sharedWith).title}`
  return follows && `Follows ${tableOf(follows).title}`
}
