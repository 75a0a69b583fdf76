import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLive, sameList } from '../../live/use-live.ts'
import { LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NotConfigured } from '../../parts/live-page/nothing.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GatewayCard, selectGateways } from './gateway-card.tsx'

const waiting = 'Waiting for backend to reconnect before loading Mail Gateway details.'

const texts = {
  loading: 'Loading Mail Gateway details',
  connectionLost: { title: 'Disconnected from backend', reconnecting: waiting, disconnected: waiting },
}

/** Mail gateways: mail passed, mail blocked, and queues. */
export function MailPage() {
  const gateways = useLive(['pmg'], selectGateways, sameList)
  return (
    <LivePage
      title="Mail Gateway"
      texts={texts}
      hasFigures={gateways.length > 0}
      empty={<UntilAnswered kind="pmg" none={<NoGateways />} />}
      skeleton={gatewaySkeleton}
    >
      <div className="flex flex-col gap-3">
        <div className="flex empty:hidden">
          <LiveNotice />
        </div>
        {gateways.map((id) => (
          <GatewayCard key={id} id={id} />
        ))}
      </div>
    </LivePage>
  )
}

const NoGateways = () => (
  <Card>
    <NotConfigured icon={<Mail size={24} />} title="No Mail Gateways configured" to="/settings/pmg">
      Add a Proxmox Mail Gateway via Settings → Nodes to start collecting mail analytics.
    </NotConfigured>
  </Card>
)

const panels = [7, 5, 7, 11]

/** Placeholder for a gateway: the card's head and panels. */
const gatewaySkeleton = (notice: ReactNode) => (
  <>
    {notice}
    <Card>
      <div className="flex h-10 items-center gap-3 border-b border-line px-4">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="h-3 w-16" />
      </div>
      <div className="grid gap-x-8 gap-y-3 px-4 pt-1.5 pb-3 md:grid-cols-2 xl:grid-cols-4">
        {panels.map((lines, at) => (
          <div key={at}>
            {Array.from({ length: lines }, (_, line) => (
              <div key={line} className="flex h-7 items-center justify-between gap-8">
                <Skeleton className="h-2 w-28" />
                <Skeleton className="h-2 w-10" />
              </div>
            ))}
          </div>
        ))}
      </div>
    </Card>
  </>
)
