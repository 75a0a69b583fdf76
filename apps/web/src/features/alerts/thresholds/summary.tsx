import { useMemo } from 'react'
import { useLive } from '../../../live/use-live.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useConfig } from '../config-edits.tsx'
import { countOverrides } from './absent.ts'
import { createResourceSelector } from './resource-list.ts'
import { groupKinds } from './resources.ts'
import { useUnanswered } from './unanswered.ts'
import { sectionId } from './threshold-table.tsx'
import { type TabId, tables, type ThresholdTable } from './tables.ts'

/** Resource counts of the tab, with links to its tables. */
export function Summary({ tab }: { tab: TabId }) {
  return (
    <ul aria-label="Sections" className="flex flex-wrap gap-2 empty:hidden">
      {tables
        .filter((table) => table.tab === tab)
        .map((table) => (
          <Item key={table.kind} table={table} />
        ))}
    </ul>
  )
}

function Item({ table: { kind, title } }: { table: ThresholdTable }) {
  const { config } = useConfig()
  const select = useMemo(() => createResourceSelector(kind, ''), [kind])
  const groupKind = groupKinds[kind]
  const { counts } = useLive(groupKind ? [kind, groupKind] : [kind], select)
  const count = (counts.get(kind) ?? 0) + useUnanswered(kind).length
  const customs = countOverrides(config, kind)
  if (count + customs === 0) return null
  return (
    <li>
      <button
        type="button"
        onClick={() => document.getElementById(sectionId(kind))?.scrollIntoView({ block: 'start' })}
        className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-xs text-ink-2 hover:bg-hover hover:text-ink"
      >
        {title}
        <span className="text-ink-3 tabular-nums">
          {formatNumber(count)}
          {customs > 0 && ` · ${formatNumber(customs)} ${customs === 1 ? 'override' : 'overrides'}`}
        </span>
      </button>
    </li>
  )
}
