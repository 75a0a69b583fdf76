import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../api/session.tsx'
import { GroupFrame } from '../../../parts/node-summary/group-head.tsx'
import type { AlertGroup } from './arrange.ts'
import type { AlertListState } from './list-state.ts'
import { SelectBox } from './select-box.tsx'

interface AlertGroupRowProps {
  group: AlertGroup
  list: AlertListState
  tabIndex: 0 | -1
}

/** The head of the alerts of one cause or one node. */
export function AlertGroupRow({ group: { name, ids, critical }, list, tabIndex }: AlertGroupRowProps) {
  const { isAdmin } = useSession()
  const open = new Set(list.unacknowledged)
  const mine = ids.filter((id) => open.has(id))
  const chosen = mine.filter((id) => list.selected.has(id)).length
  return (
    <GroupFrame colSpan={1}>
      <span className="flex h-full items-center gap-2 pr-3 pl-3">
        {isAdmin && (
          <SelectBox
            label={`Select all of ${name}`}
            checked={mine.length > 0 && chosen === mine.length}
            isPartly={chosen > 0 && chosen < mine.length}
            disabled={mine.length === 0}
            tabIndex={tabIndex}
            onChange={(on) => list.select(mine, on)}
          />
        )}
        <span className="truncate font-medium text-ink">{name}</span>
        <span className="text-ink-3 tabular-nums">
          {formatNumber(ids.length)} {ids.length === 1 ? 'alert' : 'alerts'}
          {critical > 0 && `, ${formatNumber(critical)} critical`}
        </span>
      </span>
    </GroupFrame>
  )
}
