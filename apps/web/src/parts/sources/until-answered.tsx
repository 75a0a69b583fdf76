import type { SourceKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { ServerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { sourceName } from './unreachable.ts'

interface UntilAnsweredProps {
  kind?: SourceKind
  none: ReactNode
}

/**
 * For a page without data: `none` if nothing is configured, else the connections that have not answered yet.
 */
export function UntilAnswered({ kind = 'pve', none }: UntilAnsweredProps) {
  const sources = useLive(['sources'], selectors[kind], isEqual)
  return sources.length > 0 ? <NoAnswer product={products[kind]} sources={sources} /> : none
}

const products = { pve: 'Proxmox VE', pbs: 'Backup Server', pmg: 'Mail Gateway' } satisfies Record<
  SourceKind,
  string
>

interface Connection {
  id: string
  name: string
  error: string | undefined
}

const connectionsOf =
  (kind: SourceKind) =>
  (live: LiveReader): readonly Connection[] =>
    [...live.records('sources')]
      .filter(([, source]) => source.kind === kind)
      .map(([id, source]) => ({ id, name: sourceName(source), error: source.error }))

const selectors = {
  pve: connectionsOf('pve'),
  pbs: connectionsOf('pbs'),
  pmg: connectionsOf('pmg'),
} satisfies Record<SourceKind, unknown>

/** No connection has answered yet. */
function NoAnswer({ product, sources }: { product: string; sources: readonly Connection[] }) {
  return (
    <Card>
      <EmptyState
        icon={<ServerOff size={24} />}
        title={`No answer from ${product} yet`}
        tone="orange"
        announce
      >
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
