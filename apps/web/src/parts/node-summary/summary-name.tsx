import { HardDrive, KeyRound } from 'lucide-react'
import { memo } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import type { AlertLevel } from '../alerts/alert-levels.ts'
import { AlertMark, AlertStripe } from '../alerts/alert-stripe.tsx'
import { Cell } from '../cells/cells.tsx'
import { spanClass } from '../grid/columns.ts'
import { DownEdge, StaleBadge } from '../cells/outage.tsx'
import { HistoryButton } from '../history/history-button.tsx'
import { machineTracks } from '../nodes/machine-tracks.ts'
import { NameLine } from '../cells/name-line.tsx'
import { SiteBadge, useSilenceLabel } from '../sources/sites.tsx'
import { PageLinkBeside } from '../thing/page-link.tsx'
import type { SummaryRow } from './rows.ts'

type Named =
  | 'kind'
  | 'source'
  | 'wireId'
  | 'name'
  | 'extraName'
  | 'url'
  | 'version'
  | 'cluster'
  | 'online'
  | 'outage'
  | 'staleSince'
  | 'withheld'

/** The parts of a line except figures. */
export interface SummaryNameProps extends Pick<SummaryRow, Named> {
  /** the id in the store */
  recordId: string
  alert: AlertLevel | undefined
  /** one of its storages or disks has a fault or an alert */
  broken: boolean
  dimmed: boolean
  tabIndex: 0 | -1
  phone?: boolean
}

/** The first cell of a line; memoized. */
export const SummaryNameCell = memo(function SummaryNameCell(props: SummaryNameProps) {
  return (
    <Cell className={cx('flex items-center gap-1.5 pl-3', spanClass(machineTracks.wideName))}>
      {props.outage && <DownEdge />}
      <AlertStripe level={props.alert} />
      <SummaryName {...props} />
    </Cell>
  )
})

const brokenReason = 'A storage or disk of this node needs attention'

/** State, name with its link, and kind of machine. */
export function SummaryName({ alert, broken, dimmed, tabIndex, phone = false, ...row }: SummaryNameProps) {
  const silence = useSilenceLabel(row.source)
  const kind = row.kind === 'pve' ? 'PVE' : 'PBS'
  const version = row.version && `v${row.version}`
  return (
    <NameLine
      {...(phone && { substitute: false })}
      hint={[row.extraName, kind, row.cluster, version].filter(Boolean).join('\n')}
      extras={
        <>
          {row.extraName && <span className="truncate text-xs text-ink-3">({row.extraName})</span>}
          <Badge>{kind}</Badge>
          {row.cluster && <Badge>{row.cluster}</Badge>}
          <SiteBadge kind={row.kind === 'pve' ? 'nodes' : 'pbs'} id={row.recordId} />
          {version && <Badge>{version}</Badge>}
        </>
      }
    >
      {row.staleSince !== undefined ? (
        <StatusDot tone={row.outage ? 'red' : 'orange'} label={silence} ring />
      ) : (
        // the word Offline replaces the bars
        <StatusDot
          tone={row.online ? 'green' : 'red'}
          label={row.online ? 'Online' : ''}
          ring={!row.online}
        />
      )}
      <NameLink url={row.url} name={row.name} dimmed={dimmed} tabIndex={tabIndex} />
      {row.kind === 'pve' && (
        <PageLinkBeside kind="nodes" id={row.recordId} name={row.name} tabIndex={tabIndex} />
      )}
      {row.kind === 'pbs' && (
        <HistoryButton
          kind="pbs"
          id={row.recordId}
          name={row.name}
          alertId={row.wireId}
          tabIndex={tabIndex}
        />
      )}
      <AlertMark level={alert} />
      {broken && (
        <span
          role="img"
          aria-label={brokenReason}
          className="inline-flex shrink-0 text-orange"
          {...tip(brokenReason)}
        >
          <HardDrive aria-hidden size={13} />
        </span>
      )}
      {row.staleSince !== undefined && <StaleBadge since={row.staleSince} down={row.outage !== undefined} />}
      {row.withheld && row.online && (
        <span className="inline-flex shrink-0" {...tip(row.withheld)}>
          <Badge tone="orange">
            <KeyRound aria-hidden size={11} className="mr-1" />
            Partial<span className="sr-only">: {row.withheld}</span>
          </Badge>
        </span>
      )}
    </NameLine>
  )
}

interface NameLinkProps {
  url: string | undefined
  name: string
  dimmed: boolean
  tabIndex: 0 | -1
}

/** The link to a machine's web interface. */
export function NameLink({ url, name, dimmed, tabIndex }: NameLinkProps) {
  const nameClass = cx('min-w-8 truncate leading-6 font-medium', dimmed ? 'text-ink-3' : 'text-ink')
  return url ? (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={tabIndex}
      aria-label={`${name}, open web interface`}
      className={cx(nameClass, 'hover:text-accent hover:underline')}
    >
      {name}
    </a>
  ) : (
    <span className={nameClass}>{name}</span>
  )
}
