import { postUpdateApply } from '@pulse/contract'
import { useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { reasonOf } from '../../api/reason.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlanFacts } from './plan-details.tsx'
import { closeUpdateDialog, showProgress, type WantedUpdate } from './update-flow.ts'

interface ConfirmUpdateProps {
  wanted: WantedUpdate
  open: boolean
}

/** Asks before the update starts. */
export function ConfirmUpdate({ wanted, open }: ConfirmUpdateProps) {
  const { currentVersion, latestVersion } = wanted.info
  return (
    <Dialog
      open={open}
      onClose={closeUpdateDialog}
      title="Confirm Update"
      description={`From ${currentVersion} to ${latestVersion}`}
    >
      <Form wanted={wanted} />
    </Dialog>
  )
}

function Form({ wanted: { info, plan } }: { wanted: WantedUpdate }) {
  const [understood, setUnderstood] = useState(false)
  const { start, busy, failure } = useStart(info)
  return (
    <DialogForm
      onSubmit={start}
      onCancel={closeUpdateDialog}
      action="Start Update"
      busyAction="Starting..."
      busy={busy}
      incomplete={!understood}
      failure={failure}
    >
      <div className="flex flex-col gap-3 text-table">
        <PlanFacts info={info} plan={plan} />
        {info.isPrerelease && (
          <Notice tone="orange">
            {`${info.latestVersion} is a release candidate: it may be incomplete.`}
          </Notice>
        )}
        {plan.prerequisites && plan.prerequisites.length > 0 && (
          <div>
            <p className="font-medium">Prerequisites</p>
            <ul className="list-disc pl-5 text-ink-2">
              {plan.prerequisites.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </div>
        )}
        {plan.rollbackSupport && (
          <p className="text-ink-2">
            The data is backed up first. If the new version fails to start, Pulse returns to{' '}
            {info.currentVersion} by itself.
          </p>
        )}
      </div>
      <Checkbox
        label="I understand that Pulse will be temporarily unavailable during the update process."
        checked={understood}
        onChange={setUnderstood}
      />
    </DialogForm>
  )
}

/** There is no query client outside the pages, and a single call needs none. */
function useStart({ downloadUrl, latestVersion, channel }: WantedUpdate['info']) {
  const api = useApi()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ title: string; reason: string | undefined }>()
  const start = () => {
    setBusy(true)
    setFailure(undefined)
    api
      .call(postUpdateApply, { body: { downloadUrl, version: latestVersion, channel } })
      .then(showProgress, (error: unknown) => {
        setBusy(false)
        setFailure({ title: 'Failed to start update. Please try again.', reason: reasonOf(error) })
      })
  }
  return { start, busy, failure }
}
