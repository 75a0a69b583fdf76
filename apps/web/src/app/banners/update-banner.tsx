import { getUpdateStatus, type VersionInfo } from '@pulse/contract'
import { CircleArrowUp, CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { useSession } from '../../api/session.tsx'
import { useReconnected } from '../../live/use-live.ts'
import { dismissVersion, useKnownUpdate } from '../../parts/updates/known-update.ts'
import {
  confirmUpdate,
  isUnderWay,
  showProgress,
  takeProgress,
  useUpdateFlow,
  usePlan,
} from '../../parts/updates/update-flow.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { Banner } from './banner.tsx'

const PlanDetails = lazyPart('Update details', async () => ({
  default: (await import('../../parts/updates/plan-details.tsx')).PlanDetails,
}))

/** An update is available. Shown to users who may install it. */
export function UpdateBanner({ version }: { version: VersionInfo | undefined }) {
  const { isAdmin } = useSession()
  const { progress, dialog } = useUpdateFlow()
  const { info, isDismissed } = useKnownUpdate(version)
  const [closed, setClosed] = useState<string>()
  const [expanded, setExpanded] = useState(false)
  const details = useId()
  const loadedWith = useFirst(version?.version)
  const isVisible = isAdmin && info !== undefined && !isDismissed && closed !== info.latestVersion
  const plan = usePlan(isVisible ? info : undefined)

  if (isAdmin && dialog !== 'progress') {
    if (isUnderWay(progress)) return <UnderWay message={progress!.message} />
    if (progress?.status === 'completed') return <Updated message={progress.message} />
  }
  if (loadedWith !== undefined && version?.version !== loadedWith) {
    return <Updated message={`This page still runs version ${loadedWith}.`} />
  }
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
            <>
              {' '}
              <Badge tone="orange">Release candidate</Badge>
            </>
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
          <PlanDetails info={info} plan={plan} />
        </div>
      )}
    </Banner>
  )
}

/** The first known value. After a reconnect the server may run another version, but the page does not. */
function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value)
  if (first === undefined && value !== undefined) setFirst(value)
  return first
}

/** An update that began in another window or before this page was loaded. */
function UnderWay({ message }: { message: string }) {
  const api = useApi()
  // the update may have ended in the meantime, and its end is reported only once
  useReconnected(() => {
    api.call(getUpdateStatus).then(takeProgress, () => takeProgress(undefined))
  })
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

/** This window still runs the previous version of the program. */
function Updated({ message }: { message: string }) {
  return (
    <Banner
      label="Pulse was updated"
      tone="green"
      icon={CircleCheck}
      title="Pulse was updated"
      text={message}
      actions={<Button onClick={() => window.location.reload()}>Reload Page</Button>}
    />
  )
}
