import type { UpdateInfo } from '@pulse/contract'
import { PlanDetails } from '../../../parts/updates/plan-details.tsx'
import { confirmUpdate } from '../../../parts/updates/update-flow.ts'
import { usePlan } from '../../../parts/updates/use-plan.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'

/** What a check found, and the way to it. */
export function UpdateOffer({ info }: { info: UpdateInfo }) {
  const plan = usePlan(info)
  return (
    <section aria-label="Available update" className="rounded-md border border-line text-table">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2">
        <p role="status" className="min-w-0 flex-1 basis-48 font-medium">
          Version <span className="tabular-nums">{info.latestVersion}</span> is available{' '}
          {info.isPrerelease && <Badge tone="orange">Release candidate</Badge>}
        </p>
        {plan?.canAutoUpdate && (
          <Button variant="primary" onClick={() => confirmUpdate({ info, plan })}>
            Apply Update
          </Button>
        )}
      </header>
      <div className="p-3">
        <PlanDetails info={info} plan={plan} />
      </div>
    </section>
  )
}
