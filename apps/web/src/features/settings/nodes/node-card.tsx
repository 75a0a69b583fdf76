import { getNodes, type NodeConfig, type SourceState } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, User } from 'lucide-react'
import { useCallback } from 'react'
import type { LiveReader } from '../../../live/store.ts'
import { useLive } from '../../../live/use-live.ts'
import { isOnline } from '../../../parts/nodes/status.ts'
import { silenceLabel } from '../../../parts/sources/sites.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { toast } from '../../../ui/toast.ts'
import { toneText, type UiTone } from '../../../ui/tone-class.ts'
import { kindTexts } from './kinds.ts'
import type { TestOutcome } from './test-outcome.ts'
import { TestResult } from './test-result.tsx'
import { type TestTarget, useNodeTest } from './use-node-test.ts'

interface NodeCardProps {
  node: NodeConfig
  onEdit: () => void
  onRemove: () => void
}

export function NodeCard({ node, onEdit, onRemove }: NodeCardProps) {
  const live = useLiveSource(node.id)
  const status = shownStatus(node, live)
  const reason = statusReason(node, live)
  const test = useCardTest(node.id)
  const watched = kindTexts[node.type].flags.filter(({ flag }) => node[flag])
  return (
    <article aria-label={node.name} className="flex flex-col gap-2.5 px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="flex flex-wrap items-center gap-x-2 text-sm font-semibold">
            <StatusDot {...status} label="" />
            <span className="min-w-0 break-all">{node.name}</span>
            <span className={cx('text-xs font-medium', toneText[status.tone])}>{status.label}</span>
          </h3>
          <p className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5 text-table text-ink-2">
            <span className="break-all">{node.host}</span>
            <Account node={node} />
            {node.site !== undefined && <span className="break-all">{`Site ${node.site}`}</span>}
          </p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          <Button
            aria-label={`Test connection to ${node.name}`}
            disabled={test.isRunning}
            onClick={() => test.run({ id: node.id })}
          >
            {test.isRunning ? 'Testing...' : 'Test connection'}
          </Button>
          {!node.managed && (
            <>
              <Button aria-label={`Edit ${node.name}`} onClick={onEdit}>
                Edit
              </Button>
              <Button aria-label={`Delete ${node.name}`} onClick={onRemove} className="text-red">
                Delete
              </Button>
            </>
          )}
        </div>
      </div>
      {node.managed && (
        <p className="text-table text-ink-2">Fixed by pulse.yaml: change or remove it there.</p>
      )}
      {reason && <p className="text-table break-words text-ink-2">{reason}</p>}
      {watched.length > 0 && (
        <ul aria-label="Monitored" className="flex flex-wrap gap-1.5">
          {watched.map(({ flag, badge }) => (
            <li key={flag} className="inline-flex">
              <Badge>{badge}</Badge>
            </li>
          ))}
        </ul>
      )}
      {node.isCluster && <ClusterInfo node={node} />}
      {test.outcome && test.outcome.warnings.length > 0 && <TestResult outcome={test.outcome} />}
    </article>
  )
}

function Account({ node: { user, tokenName, hasToken } }: { node: NodeConfig }) {
  const account = hasToken ? tokenName : user
  if (!account) return null
  const Icon = hasToken ? KeyRound : User
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden size={13} className="shrink-0 text-ink-3" />
      <span className="sr-only">{hasToken ? 'Token' : 'User'}</span>
      <span className="break-all">{account}</span>
    </span>
  )
}

/** A node's cluster and its members. */
function ClusterInfo({ node }: { node: NodeConfig }) {
  const endpoints = node.clusterEndpoints ?? []
  const online = useOnlineEndpoints(node)
  const count = `${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}`
  return (
    <div className="rounded-md bg-sunken px-3 py-2 text-table">
      <p>
        <span className="font-medium">{`Cluster ${node.clusterName ?? node.name}`}</span>
        <span className="ml-2 text-ink-2">{count}</span>
      </p>
      <ul
        aria-label="Endpoints"
        className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-5 gap-y-1"
      >
        {endpoints.map(({ NodeID, NodeName, IP }, index) => (
          <li key={NodeID || NodeName} className="inline-flex min-w-0 items-center gap-1.5">
            <StatusDot
              tone={online[index] ? 'green' : 'red'}
              ring={!online[index]}
              label={online[index] ? 'Online' : 'Offline'}
            />
            <span className="break-all">{NodeName}</span>
            <span className="text-ink-2 tabular-nums">{IP}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const toastMs = { passed: 4_000, failed: 8_000 } as const

/** Tests a stored connection; a toast shows the result. */
export function useCardTest(id: string) {
  const queries = useQueryClient()
  const test = useNodeTest(tell)
  return {
    ...test,
    run(target: TestTarget) {
      const nodes = queries.getQueryData<NodeConfig[]>([getNodes.path])
      if (nodes?.some((node) => node.id === id)) test.run(target)
      else toast.error('Node not found', toastMs.failed)
    },
  }
}

function tell({ ok, message }: TestOutcome) {
  if (ok) toast.success(message, toastMs.passed)
  else toast.error(message, toastMs.failed)
}

interface ShownStatus {
  tone: UiTone
  label: string
  pulsing?: boolean
}

const offline: ShownStatus = { tone: 'red', label: 'Offline' }
const failed: ShownStatus = { tone: 'red', label: 'Error' }
const untrusted: ShownStatus = { tone: 'red', label: 'Certificate not trusted' }
const online: ShownStatus = { tone: 'green', label: 'Online' }

const saved: Record<NodeConfig['status'], ShownStatus> = {
  pending: { tone: 'yellow', label: 'Pending', pulsing: true },
  connected: online,
  error: failed,
  offline,
  disconnected: { tone: 'red', label: 'Disconnected' },
}

/** The live state wins over the saved one, but has no status before the first answer. */
export function shownStatus(
  { status, untrusted: isUntrusted }: Pick<NodeConfig, 'status' | 'untrusted'>,
  live: SourceState | undefined,
): ShownStatus {
  if (live?.siteUnreachableSince !== undefined) return { tone: 'orange', label: silenceLabel(live) }
  switch (live?.health) {
    case 'healthy':
      return online
    case 'degraded':
      return { tone: 'yellow', label: 'Degraded' }
    case 'error':
      if (live.untrusted) return untrusted
      return live.lastSeen === undefined || live.refused ? failed : offline
    default:
      if (isUntrusted) return untrusted
      return saved[status] ?? { tone: 'neutral', label: 'Unknown' }
  }
}

/** Why the connection is not online. */
export const statusReason = (node: NodeConfig, live: SourceState | undefined): string | undefined =>
  live && live.health !== 'unknown' ? live.error : node.error

/** The live state of a connection. */
function useLiveSource(id: string): SourceState | undefined {
  const select = useCallback((live: LiveReader) => live.get('sources', id), [id])
  return useLive(['sources'], select, isSame)
}

/** Ignores the value of `lastSeen`, which changes with every answer; only its presence is shown. */
const isSame = (a: SourceState | undefined, b: SourceState | undefined) =>
  a?.health === b?.health &&
  a?.error === b?.error &&
  a?.untrusted === b?.untrusted &&
  a?.siteUnreachableSince === b?.siteUnreachableSince &&
  (a?.lastSeen === undefined) === (b?.lastSeen === undefined)

/** Which cluster members are online, by the live state if it has them, else as saved. */
function useOnlineEndpoints({ id, clusterEndpoints }: NodeConfig): readonly boolean[] {
  const select = useCallback(
    (live: LiveReader) => {
      const known = new Map<string, boolean>()
      for (const node of live.records('nodes').values()) {
        if (node.source === id) known.set(node.node, isOnline(node))
      }
      return (clusterEndpoints ?? []).map(({ NodeName, Online }) => known.get(NodeName) ?? Online)
    },
    [id, clusterEndpoints],
  )
  return useLive(['nodes'], select, isSameList)
}

const isSameList = (a: readonly boolean[], b: readonly boolean[]) => a.join() === b.join()
