import { SearchX, Server } from 'lucide-react'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'

/** Without a node to show: none is configured, or none has answered. */
export const NothingYet = () => <UntilAnswered none={<NoNodes />} />

function NoNodes() {
  return (
    <Card>
      <EmptyState
        icon={<Server size={24} />}
        title="No Proxmox VE nodes configured"
        action={
          <Link to="/settings" className={buttonClass('primary')}>
            Go to Settings
          </Link>
        }
      >
        Add a Proxmox VE node to see its virtual machines and containers here.
      </EmptyState>
    </Card>
  )
}

interface NoGuestsProps {
  search: string
  /** what of the search can match nothing */
  problem: string | undefined
  onReset: (() => void) | undefined
}

export function NoGuests({ search, problem, onReset }: NoGuestsProps) {
  return (
    <EmptyState
      announce
      icon={<SearchX size={24} />}
      title="No guests found"
      action={onReset && <Button onClick={onReset}>Reset filters</Button>}
    >
      <p>{search ? `No guests match your search "${search}"` : 'No guests match your current filters'}</p>
      {problem && <p className="mt-1 whitespace-pre-line text-orange">{problem}</p>}
    </EmptyState>
  )
}
