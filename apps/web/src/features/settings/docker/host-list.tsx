import { Container } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { HostTable } from './host-table.tsx'
import { type Host, isMatch } from './hosts.ts'

interface HostListProps {
  /** that may be shown */
  hosts: readonly Host[]
  /** hidden ones too */
  all: readonly Host[]
  onRemove: (host: Host) => void
}

const pageSize = 100
/** So many can be looked through by eye. */
const mostByEye = 20

/** A long list has a filter, and is shown in portions. */
export function HostList({ hosts, all, onRemove }: HostListProps) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const isLong = hosts.length > mostByEye
  const found = isLong ? hosts.filter((host) => isMatch(host, search)) : hosts
  const more = found.length - limit
  return (
    <>
      {isLong && (
        <div className="border-b border-line px-4 py-2.5">
          <input
            type="search"
            aria-label="Filter hosts"
            placeholder="Filter by name, system, status or token"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setLimit(pageSize)
            }}
            autoComplete="off"
            spellCheck={false}
            className="h-8 w-full max-w-sm rounded-md border border-control bg-surface px-2.5 text-table text-ink placeholder:text-ink-3"
          />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState icon={<Container size={24} />} title="No host matches">
          {`Nothing of a host contains "${search.trim()}".`}
        </EmptyState>
      ) : (
        <HostTable hosts={found.slice(0, limit)} all={all} onRemove={onRemove} />
      )}
      {more > 0 && (
        <div className="border-t border-line p-3 text-center">
          <Button variant="ghost" onClick={() => setLimit(limit + pageSize)}>
            {`Show ${Math.min(more, pageSize)} more of ${more}`}
          </Button>
        </div>
      )}
    </>
  )
}
