import { Mail } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'

export const NoGateways = () => (
  <Card>
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
  </Card>
)
