import type { DiagnosedBackupServer, DiagnosedNode } from '@pulse/contract'
import { CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { When } from '../when.tsx'
import { CallCost } from './call-cost.tsx'
import { type Fact, Facts } from './facts.tsx'
import { PhysicalDisks } from './physical-disks.tsx'
import { VmDisks } from './vm-disks.tsx'

/** A connection as found by a run. */
export type DiagnosedSource = DiagnosedNode | (DiagnosedBackupServer & { type: 'pbs' })

/** One connection: reachability, permissions and API cost. */
export function SourceCard({ source }: { source: DiagnosedSource }) {
  const { name, host, type, connected, error, rights, calls } = source
  const titleId = useId()
  const tone = connected ? 'green' : 'red'
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-col gap-3 border-b border-line px-4 py-3 last:border-b-0"
    >
      <div>
        <h3 className="flex flex-wrap items-center gap-x-2 text-sm font-semibold">
          <StatusDot tone={tone} ring={!connected} label="" />
          <span id={titleId} className="min-w-0 break-all">
            {name}
          </span>
          <Badge>{type.toUpperCase()}</Badge>
          <span className={cx('text-xs font-medium', connected ? 'text-green' : 'text-red')}>
            {connected ? 'Connected' : 'Not connected'}
          </span>
        </h3>
        <p className="text-table break-all text-ink-2">{host}</p>
      </div>
      {error !== undefined && <Notice tone="red">{error}</Notice>}
      <Facts facts={factsOf(source)} />
      {rights && <Rights {...rights} />}
      {calls && <CallCost calls={calls} />}
      {type === 'pve' && source.vmDiskCheck && <VmDisks check={source.vmDiskCheck} />}
      {type === 'pve' && source.physicalDisks && <PhysicalDisks check={source.physicalDisks} />}
    </article>
  )
}

const authTexts: Record<DiagnosedSource['authMethod'], string> = {
  api_token: 'API token',
  username_password: 'User and password',
  none: 'No credentials',
}

function factsOf(source: DiagnosedSource): Fact[] {
  const { authMethod, lastPoll, details } = source
  const cluster = source.type === 'pve' ? source.clusterInfo : undefined
  const facts: (Fact | undefined)[] = [
    { label: 'Sign-in', value: authTexts[authMethod] },
    details?.version ? { label: 'Version', value: details.version } : undefined,
    cluster && { label: 'Cluster', value: clusterText(cluster) },
    { label: 'Last data', value: <When time={lastPoll} inline="ago" /> },
  ]
  return facts.filter((fact) => fact !== undefined)
}

function clusterText({ name, nodes }: { name?: string | undefined; nodes: number }): string {
  const count = `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  return name ? `${name}, ${count}` : count
}

function Rights({ missing, advice }: { missing: readonly string[]; advice: readonly string[] }) {
  if (missing.length === 0) {
    return (
      <p className="flex items-center gap-1.5 text-table text-ink-2">
        <CircleCheck aria-hidden size={14} className="shrink-0 text-green" />
        The account has all required permissions.
      </p>
    )
  }
  return (
    <Notice tone="yellow" title="Missing rights">
      <ul aria-label="Missing rights" className="mt-1 flex list-disc flex-col gap-1 pl-4">
        {missing.map((sentence, index) => (
          <li key={sentence}>
            <span className="text-ink">{advice[index] ?? sentence}</span>
            {advice[index] !== undefined && advice[index] !== sentence && (
              <span className="block text-xs">{sentence}</span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
