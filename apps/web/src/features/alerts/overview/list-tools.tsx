import { CheckCheck, Eye, EyeOff, Filter } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useReadOnlyReason } from '../../../lib/moment.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'
import type { AlertListState } from './list-state.ts'

interface ListToolsProps {
  list: AlertListState
  /** icons only */
  phone: boolean
  filtersShown: boolean
  onShowFilters: (shown: boolean) => void
}

/** Actions on the whole list. */
export function ListTools({ list, phone, filtersShown, onShowFilters }: ListToolsProps) {
  const { showsAcknowledged, showAcknowledged, counts, alerts } = list
  const EyeIcon = showsAcknowledged ? EyeOff : Eye
  const look = cx(phone && 'px-2')
  const show = showsAcknowledged ? 'Hide acknowledged' : 'Show acknowledged'
  return (
    <>
      {phone && alerts.size > 0 && (
        <Button
          variant="ghost"
          className={look}
          aria-label="Filters"
          aria-expanded={filtersShown}
          onClick={() => onShowFilters(!filtersShown)}
        >
          <Filter aria-hidden size={15} />
          {list.isFiltered && <Badge tone="accent">on</Badge>}
        </Button>
      )}
      {counts.acknowledged > 0 && (
        <Button
          variant="ghost"
          className={look}
          aria-label={show}
          aria-pressed={showsAcknowledged}
          onClick={() => showAcknowledged(!showsAcknowledged)}
        >
          <EyeIcon aria-hidden size={15} />
          {!phone && show}
        </Button>
      )}
      <AcknowledgeMany list={list} phone={phone} />
    </>
  )
}

/** Acknowledges the selected alerts, or all listed ones. */
function AcknowledgeMany({ list, phone }: { list: AlertListState; phone: boolean }) {
  const { isAdmin } = useSession()
  const { setAll, isBusyAll } = useAcknowledgement()
  const readOnly = useReadOnlyReason()
  const { selected, unacknowledged, isFiltered, selectNone } = list
  if (!isAdmin || unacknowledged.length === 0) return null
  const isSelection = selected.size > 0
  const ids = isSelection ? [...selected] : unacknowledged
  const which = isSelection ? 'selected' : isFiltered ? 'listed' : 'all'
  const count = `(${formatNumber(ids.length)})`
  const name = `Acknowledge ${which} ${count}`
  return (
    <>
      {isSelection && (
        <Button variant="ghost" className={cx(phone && 'px-2')} onClick={selectNone}>
          {phone ? 'Clear' : 'Clear selection'}
        </Button>
      )}
      <Button
        variant={isSelection ? 'primary' : 'secondary'}
        className={cx(phone && 'px-2')}
        aria-label={isBusyAll ? 'Processing...' : name}
        disabled={isBusyAll || readOnly !== undefined}
        onClick={() => setAll(ids)}
        {...tip(readOnly)}
      >
        <CheckCheck aria-hidden size={14} />
        {isBusyAll ? 'Processing...' : phone ? <span className="max-[359px]:sr-only">{count}</span> : name}
      </Button>
    </>
  )
}
