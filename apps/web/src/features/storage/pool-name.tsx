import { ChevronRight, Unplug } from 'lucide-react'
import { AlertMark } from '../../parts/alert-stripe.tsx'
import { NameLine } from '../../parts/name-line.tsx'
import { StaleBadge } from '../../parts/stale.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { openPools } from './open-pools.ts'
import type { PoolLine } from './pool-line.ts'

const cephWords = { yellow: 'HEALTH_WARN', red: 'HEALTH_ERR' } as const

/** A storage by its name, and what is wrong with it beyond its own status. */
export function PoolName({ line }: { line: PoolLine }) {
  const { id, pool, staleSince, where, ceph, opens, expanded, faint, alert, tabIndex } = line
  return (
    <NameLine extras={ceph && <Badge tone={ceph}>{cephWords[ceph]}</Badge>} hint={ceph && cephWords[ceph]}>
      {opens !== undefined && (
        <Opener id={id} name={pool.name} opens={opens} expanded={expanded} tabIndex={tabIndex} />
      )}
      <span className={cx('min-w-8 truncate font-medium', faint ? 'text-ink-3' : 'text-ink')}>
        {pool.name}
      </span>
      {where !== undefined && (
        <span className="min-w-8 shrink-[2] truncate text-xs text-ink-3" {...tip(pool.nodes?.join('\n'))}>
          {where}
        </span>
      )}
      <AlertMark level={alert} />
      {pool.inactiveOn && <NotEverywhere nodes={pool.inactiveOn} />}
      {staleSince !== undefined && <StaleBadge since={staleSince} />}
    </NameLine>
  )
}

type OpenerProps = Pick<PoolLine, 'id' | 'expanded' | 'tabIndex'> & { name: string; opens: boolean }

/** In a table where some rows open the names of the others begin at the same place. */
function Opener({ id, name, opens, expanded, tabIndex }: OpenerProps) {
  const look =
    '-ml-1 inline-flex size-5 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink'
  if (!opens) return <span className={look} />
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-expanded={expanded}
      aria-label={`Details of ${name}`}
      className={look}
      onClick={() => openPools.toggle(id)}
    >
      <ChevronRight aria-hidden size={14} className={cx(expanded && 'rotate-90')} />
    </button>
  )
}

/** Some of its nodes can use it, these cannot. */
function NotEverywhere({ nodes }: { nodes: readonly string[] }) {
  const [first] = nodes
  const text = nodes.length === 1 ? `Inactive on ${first}` : `Inactive on ${nodes.length} nodes`
  return (
    <span className="inline-flex min-w-0 shrink" {...tip(`Inactive on ${nodes.join(', ')}`)}>
      <Badge tone="orange" className="max-w-full">
        <Unplug aria-hidden size={11} className="mr-1 shrink-0" />
        <span className="truncate">{text}</span>
      </Badge>
    </span>
  )
}
