import { type LucideIcon, TriangleAlert, Unplug } from 'lucide-react'
import { AlertMark } from '../../parts/alerts/alert-stripe.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { RowOpener } from '../../parts/cells/row-opener.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { createExpansion } from '../../parts/list/expansion.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText, type UiTone } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { PoolLine } from './pool-line.ts'

const cephWords = { yellow: 'HEALTH_WARN', red: 'HEALTH_ERR' } as const

/** A storage's name, with problems beyond its own status. */
export function PoolName({ line }: { line: PoolLine }) {
  const { id, pool, staleSince, where, expanded, dimmed, alert, tabIndex } = line
  const troubles = troublesOf(line)
  return (
    <NameLine
      extras={troubles.length > 0 && troubles.map((one) => <TroubleBadge key={one.text} {...one} />)}
      hint={troubles.map(({ hint }) => hint).join('\n')}
      substitute={troubles.map(({ tone, Icon, text }) => (
        <Icon key={text} size={13} className={toneText[tone]} />
      ))}
    >
      <RowOpener name={pool.name} {...{ expanded, tabIndex }} onToggle={() => openPools.toggle(id)} />
      <span className={cx('min-w-8 truncate font-medium', dimmed ? 'text-ink-3' : 'text-ink')}>
        {pool.name}
      </span>
      {where !== undefined && (
        <span className="min-w-8 shrink-[2] truncate text-xs text-ink-3" {...tip(pool.nodes?.join('\n'))}>
          {where}
        </span>
      )}
      <AlertMark level={alert} />
      {staleSince !== undefined && <StaleBadge since={staleSince} />}
    </NameLine>
  )
}

interface Trouble {
  tone: UiTone
  Icon: LucideIcon
  text: string
  hint: string
}

/** Problems of its Ceph cluster, and nodes on which it is inactive; grey when stale. */
function troublesOf({ ceph, stale, pool: { inactiveOn } }: PoolLine): Trouble[] {
  const troubles: Trouble[] = []
  const toneNow = (tone: UiTone) => (stale ? 'neutral' : tone)
  if (ceph)
    troubles.push({ tone: toneNow(ceph), Icon: TriangleAlert, text: cephWords[ceph], hint: cephWords[ceph] })
  if (inactiveOn) {
    const where = inactiveOn.length === 1 ? inactiveOn[0]! : `${inactiveOn.length} nodes`
    const hint = `Inactive on ${inactiveOn.join(', ')}`
    troubles.push({ tone: toneNow('orange'), Icon: Unplug, text: `Inactive on ${where}`, hint })
  }
  return troubles
}

const TroubleBadge = ({ tone, Icon, text, hint }: Trouble) => (
  <span className="inline-flex" {...tip(hint)}>
    <Badge tone={tone}>
      <Icon aria-hidden size={11} className="mr-1 shrink-0" />
      {text}
    </Badge>
  </span>
)

/** Storages with expanded details. */
export const openPools = createExpansion()
