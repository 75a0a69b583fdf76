import type { DiscoveredServer } from '@pulse/contract'
import { Plus } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'

interface ServerListProps {
  servers: readonly DiscoveredServer[]
  onAdd: (server: DiscoveredServer) => void
}

export function ServerList({ servers, onAdd }: ServerListProps) {
  return (
    <ul aria-label="Discovered servers">
      {servers.map((server) => {
        const { ip, port, hostname } = server
        const name = hostname ?? ip
        return (
          <li
            key={`${ip}:${port}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 text-table last:border-b-0"
          >
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-medium break-all">{name}</p>
              <p className="flex flex-wrap gap-x-3 text-ink-2">
                <span className="tabular-nums">{`${ip}:${port}`}</span>
                <span>{versionText(server)}</span>
              </p>
            </div>
            <Button aria-label={`Add ${name}`} onClick={() => onAdd(server)}>
              <Plus aria-hidden size={14} />
              Add
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

const versionText = ({ version, release }: DiscoveredServer) =>
  version === 'Unknown' || version === ''
    ? 'Version unknown'
    : `Version ${version}${release ? ` (${release})` : ''}`
