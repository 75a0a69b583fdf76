import { overrideKey } from '@pulse/contract'
import { CircleHelp, Pencil, RotateCcw, X } from 'lucide-react'
import { memo } from 'react'
import { useEntity } from '../../../live/use-live.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'
import { useAskWhy } from '../why/ask-why.tsx'
import { SeverityControl, Toggle } from './controls.tsx'
import { cellName, isCellOf, useEditing } from './editing.tsx'
import {
  editOverride,
  offlineState,
  overrideAt,
  ownTrigger,
  removeOverride,
  withDisabled,
  withOfflineState,
  withOfflineOff,
  withTrigger,
} from './override.ts'
import { readerOf, type Resource } from './resources.ts'
import { NameOrLink } from './resource-name.tsx'
import { RowFrame } from './row-frame.tsx'
import { defaultTrigger, type ThresholdTable } from './tables.ts'
import { connectionName } from './unanswered.ts'
import { ValueCell } from './value-cell.tsx'

interface RowProps {
  table: ThresholdTable
  /** id in the store */
  id: string
  phone: boolean
  tabIndex: 0 | -1
}

/** A resource that a source currently reports. */
export const ResourceRow = memo(function ResourceRow({ table, id, ...props }: RowProps) {
  const record = useEntity(table.kind, id)
  if (!record) return null
  return <Row table={table} id={id} resource={readerOf(table.kind).resource(record as never)} {...props} />
})

/** An unreported resource that still has settings. */
export const AbsentRow = (props: RowProps) => (
  <Row {...props} resource={{ name: props.id, note: 'not reported at present' }} />
)

/** A connection that has not answered yet. */
export function WaitingRow(props: RowProps) {
  const source = useEntity('sources', props.id)
  const name = source ? connectionName(source.name, props.table.kind) : props.id
  return <Row {...props} resource={{ name, note: 'has not answered yet' }} />
}

function Row({ table, id, resource, phone, tabIndex }: RowProps & { resource: Resource }) {
  const { config, change } = useConfig()
  const editing = useEditing()
  const askWhy = useAskWhy()
  const key = overrideKey(table.kind, id)
  const override = overrideAt(config, key)
  const allOff = config[table.allOff]
  const { name } = resource
  const edit = (to: Parameters<typeof editOverride>[2]) => change((before) => editOverride(before, key, to))
  const isEdited = isCellOf(editing.cell, key)
  const hasValues = table.rowValues && table.metrics.length > 0
  return (
    <RowFrame
      phone={phone}
      dimmed={allOff || override?.disabled === true}
      metrics={table.metrics}
      hasOffline={table.offline !== undefined}
      toggle={
        table.rowSwitch && (
          <Toggle
            label={`Alerts of ${name}`}
            checked={!allOff && !override?.disabled}
            onChange={allOff ? undefined : (on) => edit((one) => withDisabled(one, !on))}
            tabIndex={tabIndex}
            hint={allOff ? globallyOff : override?.disabled ? 'Alerts disabled' : 'Alerts enabled'}
          />
        )
      }
      name={
        <ResourceName
          resource={resource}
          record={{ kind: table.kind, id }}
          isCustom={override !== undefined}
          tabIndex={tabIndex}
        />
      }
      value={(metric) => {
        const own = ownTrigger(override, metric.key)
        const inherited = defaultTrigger(table, config, metric.key)
        return (
          <ValueCell
            row={key}
            of={name}
            metric={metric}
            trigger={own ?? inherited}
            isOwn={own !== undefined}
            tabIndex={tabIndex}
            onChange={
              allOff || !hasValues
                ? undefined
                : (trigger) =>
                    change((before) =>
                      editOverride(before, key, (one) =>
                        withTrigger(one, metric, trigger, defaultTrigger(table, before, metric.key)),
                      ),
                    )
            }
          />
        )
      }}
      offline={<Offline table={table} name={name} overrideKey={key} tabIndex={tabIndex} />}
      actions={
        allOff ? (
          <span className="truncate text-2xs text-ink-3" {...tip(globallyOff)}>
            {globallyOff}
          </span>
        ) : (
          <>
            {override && !isEdited && (
              <IconButton
                label={`Remove override of ${name}`}
                className="size-6"
                tabIndex={tabIndex}
                onClick={() => change((before) => removeOverride(before, key))}
                {...tip('Remove override')}
              >
                <RotateCcw aria-hidden size={13} />
              </IconButton>
            )}
            <IconButton
              label={`Why: ${name}`}
              className="size-6"
              tabIndex={tabIndex}
              onClick={() => askWhy({ resource: key, name })}
              {...tip('Why (not) an alert?')}
            >
              <CircleHelp aria-hidden size={13} />
            </IconButton>
            {isEdited ? (
              <IconButton
                label={`Cancel editing ${name}`}
                className="size-6"
                // keeps the focus in the cell until the edit is cancelled
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => editing.end(editing.cell!)}
              >
                <X aria-hidden size={13} />
              </IconButton>
            ) : (
              hasValues && (
                <IconButton
                  label={`Edit ${name}`}
                  className="size-6"
                  tabIndex={tabIndex}
                  onClick={() => editing.start(cellName(key, table.metrics[0]!.key))}
                  {...tip('Edit thresholds')}
                >
                  <Pencil aria-hidden size={13} />
                </IconButton>
              )
            )}
          </>
        )
      }
    />
  )
}

export const globallyOff = 'Alerts disabled globally'

interface OfflineProps {
  table: ThresholdTable
  name: string
  overrideKey: string
  tabIndex: 0 | -1
}

function Offline({ table: { offline, allOff }, name, overrideKey: key, tabIndex }: OfflineProps) {
  const { config, change } = useConfig()
  if (!offline) return null
  const override = overrideAt(config, key)
  const edit = (to: Parameters<typeof editOverride>[2]) => change((before) => editOverride(before, key, to))
  if (offline.control === 'severity') {
    const off = config[allOff] || (offline.allOff !== undefined && config[offline.allOff])
    const { disableConnectivity, poweredOffSeverity } = override ?? {}
    return (
      <SeverityControl
        of={name}
        state={off ? 'off' : offlineState(override, config.guestDefaults)}
        isOwn={disableConnectivity !== undefined || poweredOffSeverity !== undefined}
        onChange={
          off
            ? undefined
            : (state) =>
                change((before) =>
                  editOverride(before, key, (one) => withOfflineState(one, state, before.guestDefaults)),
                )
        }
        tabIndex={tabIndex}
        hint={off ? globallyOff : undefined}
      />
    )
  }
  const off = config[allOff] || config[offline.allOff]
  return (
    <Toggle
      label={`Offline alerts of ${name}`}
      checked={!off && !override?.disableConnectivity}
      onChange={off ? undefined : (on) => edit((one) => withOfflineOff(one, !on))}
      tabIndex={tabIndex}
      hint={
        off ? globallyOff : override?.disableConnectivity ? 'No alert when offline' : 'Alert when offline'
      }
    />
  )
}

interface ResourceNameProps {
  resource: Resource
  record: Parameters<typeof NameOrLink>[0]['record']
  isCustom: boolean
  tabIndex: 0 | -1
}

function ResourceName({ resource, record, isCustom, tabIndex }: ResourceNameProps) {
  const { name, badge, cluster, note } = resource
  return (
    <>
      <NameOrLink name={name} record={record} tabIndex={tabIndex} />
      {badge && <Badge>{badge}</Badge>}
      {note && <span className="w-0 max-w-max grow truncate text-xs text-ink-3 tabular-nums">{note}</span>}
      {cluster && <Badge>{cluster}</Badge>}
      {isCustom && <Badge tone="accent">Custom</Badge>}
    </>
  )
}
