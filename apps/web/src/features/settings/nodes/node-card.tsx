import type { NodeConfig } from '@pulse/contract'
import { KeyRound, User } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { toneText } from '../../../ui/tone-class.ts'
import { ClusterInfo } from './cluster-info.tsx'
import { kindTexts } from './kinds.ts'
import { shownStatus, statusReason } from './node-status.ts'
import { TestResult } from './test-result.tsx'
import { useCardTest } from './use-card-test.ts'
import { useLiveSource } from './use-live-source.ts'

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
