import { getHealth, getUpdateStatus, type UpdateStatus } from '@pulse/contract'
import { Check, CircleAlert, CircleCheck, Loader } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { isRefused } from '../../api/reason.ts'
import { basePath } from '../../lib/base-path.ts'
import { useReconnected } from '../../live/use-live.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { followUpdate, type UpdatePhase } from './follow-update.ts'
import { closeUpdateDialog, takeProgress } from './update-flow.ts'

/** A stopping server may accept a call and never answer it. */
const answerWithinMs = 10_000

/** Shows the progress of an update until it ends. */
export function UpdateProgress({ open, status }: { open: boolean; status: UpdateStatus | undefined }) {
  return (
    <Dialog open={open} onClose={closeUpdateDialog} title="Update Pulse" locked>
      <Progress pushed={status} />
    </Dialog>
  )
}

function Progress({ pushed }: { pushed: UpdateStatus | undefined }) {
  const phase = useFollowedUpdate(pushed)
  const { status } = phase
  const failed = phase.step === 'finished' && phase.failed
  return (
    <div className="flex flex-col gap-4 text-table">
      <div className="flex items-start gap-2.5">
        <PhaseIcon phase={phase} />
        <div role={failed ? 'alert' : 'status'} className="min-w-0 break-words">
          <p className="font-medium">{headingOf(phase)}</p>
          <p className={failed ? 'text-red' : 'text-ink-2'}>{textOf(phase)}</p>
          {failed && status?.message && <p className="text-ink-2">{status.message}</p>}
        </div>
      </div>
      {phase.step !== 'finished' && (
        <>
          <ProgressBar label="Update progress" percent={status?.progress} />
          <Steps status={status} />
        </>
      )}
      {phase.step === 'finished' && <Ending failed={phase.failed} />}
    </div>
  )
}

function useFollowedUpdate(pushed: UpdateStatus | undefined): UpdatePhase {
  const api = useApi()
  const [phase, setPhase] = useState<UpdatePhase>({ step: 'updating', status: undefined })
  const followed = useRef<ReturnType<typeof followUpdate>>(undefined)
  useEffect(() => {
    const signal = () => AbortSignal.timeout(answerWithinMs)
    const following = followUpdate({
      askStatus: () => api.call(getUpdateStatus, { signal: signal() }),
      isHealthy: async () => (await api.send(getHealth.path, { cache: 'no-store', signal: signal() })).ok,
      isRefused,
      show(phase) {
        setPhase(phase)
        // events of the old connection are lost, so the end may only be found by polling
        if (phase.step === 'finished') takeProgress(phase.status)
      },
      reload: loadAgain,
    })
    followed.current = following
    return following.stop
  }, [api])
  const handle = useEffectEvent((status: UpdateStatus) => followed.current?.onStatus(status))
  const first = useRef(pushed)
  useEffect(() => {
    // a status from before the dialog opened may belong to an earlier update
    if (pushed && pushed !== first.current) handle(pushed)
  }, [pushed])
  useReconnected(() => followed.current?.reconnected())
  return phase
}

function headingOf(phase: UpdatePhase): string {
  if (phase.step === 'finished') return phase.failed ? 'Update Failed' : 'Update Complete'
  return phase.step === 'restarting' ? 'Restarting...' : 'Updating...'
}

function textOf({ step, status }: UpdatePhase): string {
  if (step === 'restarting') return 'Pulse is restarting. This page reloads when it is back.'
  if (step === 'finished' && status?.status === 'error')
    return status.error ?? 'The server reported no reason.'
  return status?.message || (step === 'finished' ? 'The update has ended.' : 'Waiting for the server...')
}

function PhaseIcon({ phase }: { phase: UpdatePhase }) {
  if (phase.step !== 'finished') return <Loader aria-hidden size={16} className="spin mt-0.5 text-ink-3" />
  return phase.failed ? (
    <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-red" />
  ) : (
    <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-green" />
  )
}

const steps = [
  ['downloading', 'Download the release'],
  ['verifying', 'Verify signature and checksums'],
  ['extracting', 'Unpack it'],
  ['backing-up', 'Back up the data'],
  ['applying', 'Switch to the new version'],
  ['restarting', 'Restart and wait until it is healthy'],
] as const satisfies readonly (readonly [UpdateStatus['status'], string])[]

function Steps({ status }: { status: UpdateStatus | undefined }) {
  const at = steps.findIndex(([step]) => step === status?.status)
  return (
    <ol aria-label="Steps" className="flex flex-col gap-1 text-ink-2">
      {steps.map(([step, text], index) => (
        <li
          key={step}
          {...(index === at && { 'aria-current': 'step' as const })}
          className={cx(
            'flex items-center gap-2',
            index === at && 'font-medium text-ink',
            index > at && 'text-ink-3',
          )}
        >
          <span className="inline-flex size-4 shrink-0 items-center justify-center">
            {index < at ? (
              <Check aria-hidden size={14} className="text-green" />
            ) : (
              <span
                aria-hidden
                className={cx('size-1.5 rounded-full', index === at ? 'bg-accent-fill' : 'bg-control')}
              />
            )}
          </span>
          {text}
          {index < at && <span className="sr-only">: done</span>}
        </li>
      ))}
    </ol>
  )
}

const loadAgain = () => window.location.reload()

/** After a successful update this page runs the previous version, so every navigation reloads it. */
function Ending({ failed }: { failed: boolean }) {
  return (
    <DialogActions>
      <Button onClick={failed ? closeUpdateDialog : loadAgain}>Close</Button>
      {failed ? (
        <Button variant="primary" onClick={loadAgain}>
          Retry
        </Button>
      ) : (
        <Button variant="primary" onClick={() => window.location.assign(`${basePath}/settings/updates`)}>
          View History
        </Button>
      )}
    </DialogActions>
  )
}
