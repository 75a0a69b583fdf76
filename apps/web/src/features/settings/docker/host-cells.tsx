import { useCallback } from 'react'
import { formatNumber, MISSING } from '../../../lib/format.ts'
import type { LiveReader } from '../../../live/store.ts'
import { useEntity, useLive } from '../../../live/use-live.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { toneText, type UiTone } from '../../../ui/tone-class.ts'
import { namedHosts, namesText } from '../host-names.ts'
import { When } from '../when.tsx'
import { tallyContainers } from './container-tally.ts'
import type { Host } from './hosts.ts'
import { failureReason, stopBadges } from './stop-state.ts'

interface HostNameProps {
  host: Host
  /** shows operating system and architecture below */
  withSystem?: boolean
}

export function HostName({ host, withSystem = false }: HostNameProps) {
  const { name, hostname, system, double, clockAheadMinutes, cut } = host
  return (
    <>
      <span className={cx('font-medium wrap-anywhere', withSystem && 'block min-w-44')}>{name}</span>
      {hostname !== name && <span className="block text-xs break-all text-ink-2">{hostname}</span>}
      {withSystem && system && <span className="block text-xs break-words text-ink-2">{system}</span>}
      {double !== undefined && (
        <span className="block text-xs break-words text-yellow">
          {`Another machine, ${double}, reports under the same identity`}
        </span>
      )}
      {clockAheadMinutes !== 0 && (
        <span className="block text-xs text-ink-2">
          {`Its clock is ${Math.abs(clockAheadMinutes)} min ${clockAheadMinutes > 0 ? 'ahead' : 'behind'}`}
        </span>
      )}
      {cut !== '' && (
        <span className="block text-xs break-words text-ink-2">
          {`Its reports exceed the limit. Incomplete: ${cut}`}
        </span>
      )}
    </>
  )
}

const statusTones: Record<string, UiTone> = { online: 'green', offline: 'red' }

/** Connection status, and the state of a pending command. */
export function Status({ host }: { host: Host }) {
  const { status, isOnline, phase, hidden, command } = host
  const tone = statusTones[status] ?? 'yellow'
  const stop = stopBadges[phase]
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={cx('inline-flex items-center gap-2', toneText[tone])}>
          <StatusDot tone={tone} ring={!isOnline} label="" />
          <span className="capitalize">{status}</span>
        </span>
        {stop && <Badge tone={stop.tone}>{stop.text}</Badge>}
        {hidden && <Badge>Hidden</Badge>}
      </span>
      {phase === 'failed' && command && (
        <span className="block text-xs break-words text-red">{failureReason(command)}</span>
      )}
    </>
  )
}

/** Agents may report long versions: the text wraps, so that the row stays visible. */
export const Version = ({ children }: { children: string | undefined }) => (
  <span className="inline-block wrap-anywhere sm:min-w-28">{children || MISSING}</span>
)

/** Agent version and report interval. */
export const Agent = ({ host: { agentVersion, intervalSeconds } }: { host: Host }) => (
  <>
    <Version>{agentVersion}</Version>{' '}
    <span className="whitespace-nowrap text-ink-2">{`every ${intervalSeconds} s`}</span>
  </>
)

export function Containers({ host, named = false }: { host: string; named?: boolean }) {
  const select = useCallback((live: LiveReader) => tallyContainers(live, host), [host])
  const { total, running } = useLive(['dockerContainers'], select)
  return (
    <span className="whitespace-nowrap tabular-nums">
      {formatNumber(total)}
      {named && (total === 1 ? ' container' : ' containers')}
      <span className="text-ink-2">{` (${formatNumber(running)} running)`}</span>
    </span>
  )
}

/** Changes with every report, so it renders apart from the rest of the row. */
export function LastSeen({ source, inline = false }: { source: string; inline?: boolean }) {
  const lastSeen = useEntity('sources', source)?.lastSeen
  const time = lastSeen === undefined ? undefined : new Date(lastSeen).toISOString()
  return <When time={time} {...(inline && { inline, never: 'never' })} />
}

interface TokenProps {
  host: Host
  /** names of other hosts that report with it */
  sharedWith: readonly string[]
}

export function Token({ host: { tokenId, tokenName, tokenHint }, sharedWith }: TokenProps) {
  if (tokenId === undefined) return <span className="text-ink-3">{MISSING}</span>
  return (
    <>
      {tokenName && <span className="break-words">{tokenName}</span>}{' '}
      {tokenHint && <code className="font-mono text-xs whitespace-nowrap text-ink-2">{tokenHint}</code>}
      {sharedWith.length > 0 && (
        <span className="block text-xs break-words text-yellow">
          {`Shared with ${namesText(sharedWith, namedHosts.table)}`}
        </span>
      )}
    </>
  )
}
