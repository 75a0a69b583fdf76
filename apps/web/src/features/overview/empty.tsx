import { isEqual } from '@pulse/domain'
import { SearchX, Server, ServerOff } from 'lucide-react'
import { useLive } from '../../live/use-live.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'
import { type PveSource, selectPveSources } from './pve-sources.ts'

/** Without a node to show: none is configured, or none has answered. */
export function NothingYet() {
  const sources = useLive(['sources'], selectPveSources, isEqual)
  return sources.length > 0 ? <NoAnswer sources={sources} /> : <NoNodes />
}

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

/** Nodes are configured, but none has answered yet. */
function NoAnswer({ sources }: { sources: readonly PveSource[] }) {
  return (
    <Card>
      <EmptyState icon={<ServerOff size={24} />} title="No answer from Proxmox VE yet" tone="orange" announce>
        <ul>
          {sources.map(({ id, name, error }) => (
            <li key={id} className="break-words">
              <span className="font-medium text-ink">{name}</span>: {error ?? 'waiting for the first answer'}
            </li>
          ))}
        </ul>
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
