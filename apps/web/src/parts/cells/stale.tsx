import { Clock } from 'lucide-react'
import { formatUptime } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { Badge } from '../../ui/badge.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { TICK_MS } from './cells.tsx'

/** The age of the figures beside it; red where the host is down. */
export function StaleBadge({ since, down = false }: { since: number; down?: boolean }) {
  const age = useNow(TICK_MS, (now) => formatUptime(Math.max(1, (now - since) / 1000)))
  return (
    <span className="inline-flex shrink-0" {...tip(`No fresh figures for ${age}.`)}>
      <Badge tone={down ? 'red' : 'orange'}>
        <Clock aria-hidden size={11} className="mr-1" />
        Stale {age}
      </Badge>
    </span>
  )
}
