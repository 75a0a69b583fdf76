import type { Alert } from '@pulse/contract'
import { nodeText } from '@pulse/domain'
import { CircleAlert, CircleHelp, TriangleAlert } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { formatRelative, formatSpan } from '../../../lib/format.ts'
import { useMoment, useReadOnlyReason } from '../../../lib/moment.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { TICK_MS } from '../../../parts/cells/cells.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { ThenLink } from '../then-link.tsx'
import { useAskWhy } from '../why/ask-why.tsx'
import { SelectBox } from './select-box.tsx'

export interface AlertRowProps {
  id: string
  tabIndex: 0 | -1
  /** two lines instead of columns */
  narrow: boolean
  selected: boolean
  onSelect: (selected: boolean) => void
}

export interface LineProps extends AlertRowProps {
  alert: Alert
  acknowledged: boolean
}

export const frame = ({ selected }: Pick<AlertRowProps, 'selected'>, acknowledged: boolean) =>
  cx(
    'relative grid h-full items-center gap-x-2.5 border-b border-line pr-2 pl-3 text-table',
    selected ? 'bg-accent-soft' : 'hover:bg-hover',
    acknowledged && 'text-ink-3',
  )

/** False for PBS servers and mail gateways: the resource is the node itself. */
export const hasNode = (alert: Alert) => !['', alert.resourceName].includes(nodeText(alert))

export interface PartProps {
  alert: Alert
  acknowledged: boolean
}

const isCritical = ({ level }: Alert) => level === 'critical'

export const Edge = ({ alert, acknowledged }: PartProps) =>
  !acknowledged && (
    <span
      aria-hidden
      className={cx(
        'absolute inset-y-0 left-0 w-[3px]',
        isCritical(alert) ? 'bg-red-fill' : 'bg-yellow-fill',
      )}
    />
  )

export function LevelIcon({ alert, acknowledged }: PartProps) {
  const Icon = isCritical(alert) ? CircleAlert : TriangleAlert
  return (
    <span
      role="img"
      aria-label={isCritical(alert) ? 'Critical' : 'Warning'}
      className={acknowledged ? 'text-ink-3' : isCritical(alert) ? 'text-red' : 'text-yellow'}
    >
      <Icon aria-hidden size={16} />
    </span>
  )
}

/** Acknowledged alerts cannot be selected; the cell keeps its width. */
export function Selection({
  alert,
  acknowledged,
  selected,
  tabIndex,
  onSelect,
}: PartProps & Pick<AlertRowProps, 'selected' | 'tabIndex' | 'onSelect'>) {
  const { isAdmin } = useSession()
  const isNow = useReadOnlyReason() === undefined
  if (!isAdmin || acknowledged || !isNow) return <span />
  return (
    <SelectBox
      label={`Select ${alert.resourceName}: ${alert.message}`}
      checked={selected}
      tabIndex={tabIndex}
      onChange={onSelect}
    />
  )
}

export function Why({ alert, tabIndex }: { alert: Alert; tabIndex: 0 | -1 }) {
  const askWhy = useAskWhy()
  const isPast = useMoment() !== undefined
  return (
    <IconButton
      label={`Why: ${alert.resourceName}`}
      className="size-7 disabled:opacity-50"
      tabIndex={tabIndex}
      disabled={isPast}
      onClick={() => askWhy({ alert: alert.id, name: alert.resourceName, text: alert.message })}
      {...tip(isPast ? 'Only current alerts can be explained' : 'Why this alert?')}
    >
      <CircleHelp aria-hidden size={15} />
    </IconButton>
  )
}

interface StartedProps {
  alert: Alert
  tabIndex: 0 | -1
  short?: boolean
}

/** `2 minutes ago`; `2 min` where asked for, or where the window is too narrow. */
export function Started({ alert, tabIndex, short = false }: StartedProps) {
  const at = Date.parse(alert.startTime)
  const inShort = useNow(TICK_MS, (now) => formatSpan((now - at) / 1000))
  const whole = useNow(TICK_MS, (now) => formatRelative(at, now))
  return (
    <ThenLink alert={alert} tabIndex={tabIndex}>
      {short ? (
        inShort
      ) : (
        <>
          <span className="lg:hidden">{inShort}</span>
          <span className="max-lg:hidden">{whole}</span>
        </>
      )}
    </ThenLink>
  )
}
