import { Server } from 'lucide-react'
import { NothingFound, NotConfigured } from '../../parts/live-page/nothing.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Card } from '../../ui/card.tsx'

/** Shown without a node: none is configured, or none has answered. */
export const NothingYet = () => <UntilAnswered none={<NoNodes />} />

const NoNodes = () => (
  <Card>
    <NotConfigured icon={<Server size={24} />} title="No Proxmox VE nodes configured">
      Add a Proxmox VE node to see its virtual machines and containers here.
    </NotConfigured>
  </Card>
)

interface NoGuestsProps {
  search: string
  /** search terms that cannot match anything */
  problem: string | undefined
  onReset: (() => void) | undefined
}

export const NoGuests = ({ search, ...rest }: NoGuestsProps) => (
  <NothingFound title="No guests found" {...rest}>
    <p>{search ? `No guests match your search "${search}"` : 'No guests match your current filters'}</p>
  </NothingFound>
)
