import type { VersionInfo } from '@pulse/contract'
import { CircleArrowUp } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { dismissVersion, useKnownUpdate } from '../../parts/updates/known-update.ts'
import { confirmUpdate, isUnderWay, showProgress, useUpdateFlow } from '../../parts/updates/update-flow.ts'
import { usePlan } from '../../parts/updates/use-plan.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from './banner.tsx'

const PlanDetails = lazy(async () => ({
  default: (await import('../../parts/updates/plan-details.tsx')).PlanDetails,
}))

/** Something newer is there, for whoever may install it. */
export function UpdateBanner({ version }: { version: VersionInfo | undefined }) {
  const { isAdmin } = useSession()
  const { progress, dialog } = useUpdateFlow()
  const { info, isDismissed } = useKnownUpdate(version)
  const [closed, setClosed] = useState<string>()
  const [expanded, setExpanded] = useState(false)
  const details = useId()
  const isVisible = isAdmin && info !== undefined && !isDismissed && closed !== info.latestVersion
  const plan = usePlan(isVisible ? info : undefined)

  if (isAdmin && isUnderWay(progress) && dialog !== 'progress')
    return <UnderWay message={progress!.message} />
  if (!isVisible) return null
  return (
    <Banner
      label="Update available"
      tone="accent"
      icon={CircleArrowUp}
      title={
        <>
          Update available: <span className="tabular-nums">{info.latestVersion}</span>
          {info.isPrerelease && (
            <Badge tone="orange" className="ml-2">
              Release candidate
            </Badge>
          )}
        </>
      }
      text={`You are running ${info.currentVersion}.`}
      actions={
        <>
          {plan?.canAutoUpdate && (
            <Button variant="primary" onClick={() => confirmUpdate({ info, plan })}>
              Apply Update
            </Button>
          )}
          <Button aria-expanded={expanded} aria-controls={details} onClick={() => setExpanded(!expanded)}>
            {expanded ? 'Hide details' : 'Show details'}
          </Button>
          <Button variant="ghost" onClick={() => dismissVersion(info.latestVersion)}>
            Dismiss this version
          </Button>
        </>
      }
      onDismiss={() => setClosed(info.latestVersion)}
    >
      {expanded && (
        <div id={details}>
          <Suspense fallback={null}>
            <PlanDetails info={info} plan={plan} />
          </Suspense>
        </div>
      )}
    </Banner>
  )
}

/** Begun in another window, or before this page was loaded. */
function UnderWay({ message }: { message: string }) {
  return (
    <Banner
      label="Update in progress"
      tone="accent"
      icon={CircleArrowUp}
      title="Pulse is being updated"
      text={message}
      actions={<Button onClick={showProgress}>Show progress</Button>}
    />
  )
}
