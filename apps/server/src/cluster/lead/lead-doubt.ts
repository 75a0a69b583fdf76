import type { Clock } from '@pulse/domain'
import type { Troubles } from '../../troubles/troubles.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { Leadership } from './leadership.ts'

const lookMs = 1_000
const trouble = 'lead'

interface LeadDoubtEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** undefined: this process never leads */
  lead: () => Pick<Leadership, 'isLeading' | 'isConfirmed'> | undefined
  troubles: Pick<Troubles, 'begin' | 'end'>
  onFault: (error: unknown) => void
}

/** Shows that a process which leads may send nothing, because another one may lead too. */
export function watchDoubt({ clock, lead, troubles, onFault }: LeadDoubtEdges): { stop(): void } {
  let isInDoubt = false
  return createTicker({
    clock,
    intervalMs: lookMs,
    run() {
      const now = lead()
      const wasInDoubt = isInDoubt
      isInDoubt = now !== undefined && now.isLeading && !now.isConfirmed
      if (isInDoubt && !wasInDoubt)
        troubles.begin(
          trouble,
          'Neither NATS nor PostgreSQL confirms that this process leads, so another one may. Messages about alerts wait until that is clear.',
        )
      if (!isInDoubt && wasInDoubt)
        troubles.end(
          trouble,
          'For a while nothing confirmed which process leads, so messages about alerts waited.',
        )
    },
    onError: onFault,
  })
}
