import { isEqual } from '@pulse/domain'
import { ServerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLive } from '../live/use-live.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { type PveSource, selectPveSources } from './pve-sources.ts'

/** Without anything to show: what says that no node is configured, unless those that are have not answered yet. */
export function UntilAnswered({ none }: { none: ReactNode }) {
  const sources = useLive(['sources'], selectPveSources, isEqual)
  return sources.length > 0 ? <NoAnswer sources={sources} /> : none
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
