import { useLive, sameList } from '../../live/use-live.ts'
import { LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { NoGateways } from './empty.tsx'
import { GatewayCard } from './gateway-card.tsx'
import { selectGateways } from './gateways.ts'
import { gatewaySkeleton } from './skeleton.tsx'

const waiting = 'Waiting for backend to reconnect before loading Mail Gateway details.'

const texts = {
  loading: 'Loading Mail Gateway details',
  lost: { title: 'Disconnected from backend', reconnecting: waiting, disconnected: waiting },
}

/** Mail gateways: what they let through, what they stop, and what waits in their queues. */
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
