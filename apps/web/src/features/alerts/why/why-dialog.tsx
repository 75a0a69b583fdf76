import { getAlertTrace } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Condition } from './condition.tsx'
import { untilNext } from './time-left.tsx'

/** An alert, or all monitored conditions of a resource. */
export type Asked = { alert: string; name: string; text?: string } | { resource: string; name: string }

interface WhyDialogProps {
  /** undefined while closed */
  of: Asked | undefined
  onClose: () => void
}

/** Why something is an alert, or is not, with the values of the last evaluation. */
export function WhyDialog({ of, onClose }: WhyDialogProps) {
  return (
    <Dialog
      wide
      open={of !== undefined}
      onClose={onClose}
      title={of && 'alert' in of ? 'Why this alert?' : 'Why (not) an alert?'}
      description={
        of && (
          <>
            <span className="line-clamp-2 wrap-anywhere">{of.name}</span>
            {'text' in of && <span className="line-clamp-3 wrap-anywhere text-ink">{of.text}</span>}
          </>
        )
      }
    >
      {of && <Trace of={of} />}
    </Dialog>
  )
}

const renewMs = 10_000
/** Limits polling while an overdue condition does not change. */
const leastMs = 2_000
/** Gives the server time to act. */
const graceMs = 500

function Trace({ of }: { of: Asked }) {
  const api = useApi()
  const asked = 'alert' in of ? { alert: of.alert } : { resource: of.resource }
  const trace = useQuery({
    queryKey: [getAlertTrace.path, asked],
    queryFn: ({ signal }) => api.call(getAlertTrace, { query: asked, signal }),
    staleTime: 0,
    gcTime: 0,
    // reload when the first countdown ends
    refetchInterval: ({ state: { data } }) =>
      Math.min(renewMs, Math.max(leastMs, untilNext(data?.conditions ?? []) + graceMs)),
  })
  return (
    <Loaded
      query={trace}
      what="the trace"
      isEmpty={({ conditions, gates }) => conditions.length + gates.length === 0}
      empty={<p className="py-4 text-table text-ink-2">Nothing is monitored for this resource.</p>}
    >
      {({ gates, conditions }) => (
        <div className="flex flex-col gap-3">
          {gates.map((gate) => (
            <p key={gate} className="rounded-md bg-yellow-soft px-3 py-2 text-table">
              {gate}
            </p>
          ))}
          {conditions.map((condition) => (
            <Condition key={condition.alertId} condition={condition} asOf={trace.dataUpdatedAt} />
          ))}
        </div>
      )}
    </Loaded>
  )
}
