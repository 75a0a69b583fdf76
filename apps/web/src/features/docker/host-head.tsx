import { memo, type ReactNode } from 'react'
import { formatBytes, formatNumber, formatRelative, percentParts } from '../../lib/format.ts'
import { type Tone, toneOf, type ToneScale } from '../../lib/tones.ts'
import { useNow } from '../../lib/use-now.ts'
import { cellClass, TICK_MS, Uptime } from '../../parts/cells/cells.tsx'
import { rowClass } from '../../parts/grid/columns.ts'
import { Offline } from '../../parts/cells/outage.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { HistoryButton } from '../../parts/history/history-button.tsx'
import { GroupFrame } from '../../parts/node-summary/group-head.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { ContainerSums } from './container-sums.ts'
import { type HostView, useHostView } from './host-view.ts'

interface HostHeadProps {
  id: string
  colSpan: number
  phone: boolean
  /** it is the only host shown */
  single: boolean
  onToggle: (id: string) => void
  tabIndex: 0 | -1
}

/** Head of a host's containers: status, figures in the columns of the rows, and last report. */
export const HostHead = memo(function HostHead(props: HostHeadProps) {
  const { id, colSpan, phone, single, onToggle, tabIndex } = props
  const host = useHostView(id)
  if (!host) return null
  const name = (
    <>
      <StatusDot
        tone={host.online ? 'green' : 'red'}
        label={host.online ? 'Online' : 'Offline'}
        ring={!host.online}
      />
      <button
        type="button"
        tabIndex={tabIndex}
        aria-pressed={single}
        className="min-w-8 truncate text-left leading-6 font-medium text-ink hover:text-accent hover:underline"
        onClick={() => onToggle(id)}
        {...tip(single ? 'Show all hosts' : `Show ${host.name} alone`)}
      >
        {host.name}
      </button>
      <HistoryButton kind="dockerHosts" id={id} name={host.name} alertId={host.wireId} tabIndex={tabIndex} />
    </>
  )
  return (
    <GroupFrame colSpan={colSpan} row={{ online: host.online, outage: host.online ? undefined : 'offline' }}>
      {phone ? (
        <span className="flex h-full items-center gap-2 px-3">
          {name}
          <PhoneFigures host={host} />
        </span>
      ) : (
        <span className={rowClass()}>
          <span className={cellClass('flex items-center pl-3')}>
            <NameLine extras={<Extras host={host} />} hint={extrasHint(host)}>
              {name}
            </NameLine>
          </span>
          <span className={cellClass('truncate text-ink-3 tabular-nums')}>
            {host.online ? counted(host.sums) : <Offline since={host.reportedAt} />}
          </span>
          <Figure label="CPU" scale="cpu" percent={host.cpuPercent} stale={!host.online} />
          <Figure label="Memory" scale="memory" percent={host.memoryPercent} stale={!host.online}>
            {host.memoryPercent !== undefined && (
              <span className="ml-2 text-ink-3">
                {formatBytes(host.sums.memoryBytes)} of {formatBytes(host.totalMemoryBytes)}
              </span>
            )}
          </Figure>
          <span className={figureClass}>
            <span className="text-ink-3">up </span>
            <Uptime startedAt={host.startedAt} stale={!host.online} />
          </span>
        </span>
      )}
    </GroupFrame>
  )
})

function Extras({ host }: { host: HostView }) {
  return (
    <>
      {host.troubles.map(({ tone, text, hint }) => (
        <span key={text} className="inline-flex" {...tip(hint, 320)}>
          <Badge tone={tone}>
            {text}
            <span className="sr-only">: {hint}</span>
          </Badge>
        </span>
      ))}
      {host.agentVersion && <AgentVersion version={host.agentVersion} />}
      <LastReport at={host.reportedAt} />
    </>
  )
}

function AgentVersion({ version }: { version: string }) {
  const note = agentVersionNote(version)
  return (
    <span className="inline-flex" {...tip(note, 320)}>
      <Badge tone={agentVersionTone(version)}>
        Agent {version}
        {note && <span className="sr-only">: {note}</span>}
      </Badge>
    </span>
  )
}

const extrasHint = ({ troubles, agentVersion }: HostView): string =>
  [
    ...troubles.map(({ hint }) => hint),
    agentVersion && `Agent ${agentVersion}`,
    agentVersion && agentVersionNote(agentVersion),
  ]
    .filter(Boolean)
    .join('\n')

function LastReport({ at }: { at: number | undefined }) {
  const age = useNow(TICK_MS, (now) => (at === undefined ? '' : formatRelative(at, now)))
  return age && <span className="whitespace-nowrap text-ink-3 tabular-nums">Last report {age}</span>
}

const figureClass = cellClass('text-right whitespace-nowrap text-ink-2 tabular-nums')

interface FigureProps {
  label: string
  scale: ToneScale
  percent: number | undefined
  stale: boolean
  children?: ReactNode
}

/** Without a bar: only rows have bars. */
export function Figure({ label, scale, percent, stale, children }: FigureProps) {
  const tone = stale ? 'neutral' : toneOf(scale, percent)
  const { figure, unit } = percentParts(percent)
  return (
    <span className={figureClass}>
      <span className={cx(tone !== 'neutral' && `font-medium ${toneText[tone]}`, stale && 'text-ink-3')}>
        <span className="sr-only">{label} </span>
        {figure}
        <span className="text-ink-3">{unit}</span>
      </span>
      {children}
    </span>
  )
}

function PhoneFigures({ host }: { host: HostView }) {
  return (
    <span className="ml-auto flex items-center gap-2 whitespace-nowrap text-ink-3 tabular-nums">
      {host.online ? (
        <>
          <Figure label="CPU" scale="cpu" percent={host.cpuPercent} stale={false} />
          <span>
            {formatNumber(host.sums.running)} of {formatNumber(host.sums.total)} running
          </span>
        </>
      ) : (
        <Offline since={host.reportedAt} />
      )}
    </span>
  )
}

/** '12 of 14 running' */
export const counted = ({ running, total }: Pick<ContainerSums, 'running' | 'total'>): string =>
  total === 0 ? 'No containers' : `${formatNumber(running)} of ${formatNumber(total)} running`

/** Yellow for development builds and early versions. */
export function agentVersionTone(version: string): Extract<Tone, 'green' | 'yellow'> {
  const bare = version.toLowerCase().replace(/^v/, '')
  return bare.includes('dev') || bare.startsWith('0.1') ? 'yellow' : 'green'
}

/** Explains the figures of v4 agents. */
const agentVersionNote = (version: string): string | undefined =>
  /^v?4\./i.test(version)
    ? 'This agent of Pulse 4.x calculates CPU and memory by its own formula.'
    : undefined
