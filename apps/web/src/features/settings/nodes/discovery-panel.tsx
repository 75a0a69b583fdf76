import type { DiscoveredServer, NodeConfig, SourceKind } from '@pulse/contract'
import { Plus, RefreshCw } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Switch } from '../../../ui/switch.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { When } from '../when.tsx'
import { DiscoveryErrors, DiscoveryWarnings, ScanProgress } from './discovery-scan.tsx'
import { kindTexts } from './kinds.ts'
import { addressOf, normalAddress } from './node-form.ts'
import { type Discovery, useDiscovery } from './use-discovery.ts'

interface DiscoveryPanelProps {
  kind: SourceKind
  /** undefined while loading */
  nodes: readonly NodeConfig[] | undefined
  onAdd: (server: DiscoveredServer) => void
}

/** Discovered servers that are not added yet. */
export function DiscoveryPanel({ kind, nodes = [], onAdd }: DiscoveryPanelProps) {
  const discovery = useDiscovery()
  const { settings, enabled, locked, changing, scanning } = discovery
  return (
    <Panel
      title="Discovered servers"
      description="Pulse scans the network for Proxmox products that are not monitored yet."
      flush
      form
      action={
        settings.data && (
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Switch
              label="Discovery"
              {...(locked && { hint: 'Fixed by the environment or pulse.yaml' })}
              checked={enabled}
              disabled={locked || changing}
              onChange={discovery.switchTo}
            />
            <Button disabled={!enabled || scanning} onClick={discovery.refresh}>
              <RefreshCw aria-hidden size={14} className={cx(scanning && 'spin')} />
              {scanning ? 'Scanning...' : 'Refresh discovery'}
            </Button>
          </span>
        )
      }
    >
      <Body kind={kind} nodes={nodes} onAdd={onAdd} discovery={discovery} />
    </Panel>
  )
}

type BodyProps = Required<DiscoveryPanelProps> & {
  nodes: readonly NodeConfig[]
  discovery: Discovery
}

function Body({ kind, nodes, onAdd, discovery }: BodyProps) {
  const { settings, found, enabled, scanning, progress, isAuto } = discovery
  const failed = settings.error
    ? { title: 'Failed to load discovery settings', query: settings }
    : found.error && { title: 'Discovery request failed', query: found }
  if (failed) {
    const { title, query } = failed
    return <LoadFailed title={title} reason={reasonOf(query.error)} onRetry={() => void query.refetch()} />
  }
  if (!settings.data || !found.data) return <LoadingRows label="Loading discovered servers" count={1} />
  const { product } = kindTexts[kind]
  const servers = newServers(kind, found.data.servers, nodes)
  if (!enabled && servers.length === 0) {
    return (
      <p className="p-4 text-table text-ink-2">
        {`Discovery is off. Switch it on to look for every ${product} in your network.`}
      </p>
    )
  }
  return (
    <>
      {/* first: what comes and goes with a scan must not move a row under the pointer */}
      {servers.length > 0 && <ServerList servers={servers} onAdd={onAdd} />}
      {scanning && <ScanProgress progress={progress} isAuto={isAuto} />}
      {!scanning && <DiscoveryErrors errors={found.data.errors} isAuto={isAuto} />}
      <DiscoveryWarnings environment={found.data.environment} />
      {servers.length === 0 && !scanning && (
        <p className="p-4 text-table text-ink-2">
          {`No further ${product} was found.`}
          {found.data.timestamp > 0 && (
            <>
              {' Last scan '}
              <When time={new Date(found.data.timestamp * 1_000).toISOString()} inline="ago" />.
            </>
          )}
        </p>
      )}
    </>
  )
}

/** Discovered servers of a kind that are not monitored yet, by address or name. */
export function newServers(
  kind: SourceKind,
  servers: readonly DiscoveredServer[],
  nodes: readonly NodeConfig[],
): DiscoveredServer[] {
  const watched = new Set(nodes.filter(({ type }) => type === kind).flatMap((node) => addressesOf(node)))
  return servers.filter(({ type, ip, port, hostname }) => {
    if (type !== kind) return false
    const names = hostname ? [ip, hostname] : [ip]
    return !names.some((name) => watched.has(addressOf({ ip: name, port })))
  })
}

function addressesOf({ type, host, clusterEndpoints = [] }: NodeConfig): string[] {
  const own = normalAddress(host, type)
  if (own === undefined) return []
  const port = Number(/:(\d+)$/.exec(own)![1])
  return [own, ...clusterEndpoints.map(({ IP }) => addressOf({ ip: IP, port }))]
}

interface ServerListProps {
  servers: readonly DiscoveredServer[]
  onAdd: (server: DiscoveredServer) => void
}

function ServerList({ servers, onAdd }: ServerListProps) {
  return (
    <ul aria-label="Discovered servers">
      {servers.map((server) => {
        const { ip, port, hostname } = server
        const name = hostname ?? ip
        return (
          <li
            key={`${ip}:${port}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 text-table last:border-b-0"
          >
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-medium break-all">{name}</p>
              <p className="flex flex-wrap gap-x-3 text-ink-2">
                <span className="tabular-nums">{`${ip}:${port}`}</span>
                <span>{versionText(server)}</span>
              </p>
            </div>
            <Button aria-label={`Add ${name}`} onClick={() => onAdd(server)}>
              <Plus aria-hidden size={14} />
              Add
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

const versionText = ({ version, release }: DiscoveredServer) =>
  version === 'Unknown' || version === ''
    ? 'Version unknown'
    : `Version ${version}${release ? ` (${release})` : ''}`
