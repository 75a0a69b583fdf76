import { isEqual } from '@pulse/domain'
import { Link } from '../../ui/router/link.tsx'
import { Mail, ServerOff } from 'lucide-react'
import { useLive } from '../../live/use-live.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type GatewaySource, selectGatewaySources } from './gateways.ts'

/** Without a gateway to show: none is configured, or none has answered. */
export function NothingYet() {
  const sources = useLive(['sources'], selectGatewaySources, isEqual)
  return <Card>{sources.length > 0 ? <NoAnswer sources={sources} /> : <NoGateways />}</Card>
}

const NoGateways = () => (
  <EmptyState
    icon={<Mail size={24} />}
    title="No Mail Gateways configured"
    action={
      <Link to="/settings/pmg" className={buttonClass('primary')}>
        Go to Settings
      </Link>
    }
  >
    Add a Proxmox Mail Gateway via Settings → Nodes to start collecting mail analytics.
  </EmptyState>
)

const NoAnswer = ({ sources }: { sources: readonly GatewaySource[] }) => (
  <EmptyState icon={<ServerOff size={24} />} title="No answer from Mail Gateway yet" tone="orange" announce>
    <ul>
      {sources.map(({ id, name, error }) => (
        <li key={id} className="break-words">
          <span className="font-medium text-ink">{name}</span>: {error ?? 'waiting for the first answer'}
        </li>
      ))}
    </ul>
  </EmptyState>
)
