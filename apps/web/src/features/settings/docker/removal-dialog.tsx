import type { DockerCommand } from '@pulse/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { failureOf } from '../../../api/reason.ts'
import { useChange } from '../../../api/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, useDialogBusy } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { type RemovalOutcome, type RemovalMode, removeHost, toastMs } from './host-calls.ts'
import type { Host } from './hosts.ts'
import { RemovalProgress } from './removal-progress.tsx'
import { actionTexts, newerCommand, type RemovalAction, removalActions, stopPhase } from './stop-state.ts'
import { useSetupReload } from './use-docker-setup.ts'

interface RemovalDialogProps {
  /** the host, or its last state once gone; undefined while closed */
  host: Host | undefined
  /** it disappeared while the dialog was open */
  isGone: boolean
  onClose: () => void
}

/** Removes a host: asks its agent to stop and shows the result, or removes the record. */
export function RemovalDialog({ host, isGone, onClose }: RemovalDialogProps) {
  return (
    <Dialog
      open={host !== undefined}
      onClose={onClose}
      title="Remove Docker host"
      description={host?.name}
      wide
    >
      {host && <Removal host={host} isGone={isGone} onClose={onClose} />}
    </Dialog>
  )
}

function Removal({ host, isGone, onClose }: RemovalDialogProps & { host: Host }) {
  const [answered, setAnswered] = useState<DockerCommand>()
  const command = newerCommand(host.command, answered)
  const phase = command === host.command ? host.phase : stopPhase({ command, pendingUninstall: false })
  const removal = useRemoval({ onCommand: setAnswered, onClose })
  const running = removal.isPending ? removal.variables?.action : undefined
  useDialogBusy(removal.isPending)
  useFarewell(host, isGone && !removal.isPending, onClose)

  const run = (action: RemovalAction) =>
    removal.mutate({ host, action, mode: modeOf(action, phase === 'none') })
  return (
    <div className="flex flex-col gap-3">
      <RemovalProgress host={host} phase={phase} command={command} />
      {removal.error && removal.variables && (
        <Failure action={removal.variables.action} error={removal.error} />
      )}
      <DialogActions>
        <Button disabled={running !== undefined} onClick={onClose}>
          {phase === 'stopping' ? 'Close' : 'Cancel'}
        </Button>
        {removalActions({ ...host, phase })
          .toReversed()
          .map((action) => (
            <Button
              key={action}
              disabled={running !== undefined}
              onClick={() => run(action)}
              {...(action !== 'hide' && { className: 'border-red text-red hover:bg-red-soft' })}
            >
              {running === action ? actionTexts[action].busy : actionTexts[action].text}
            </Button>
          ))}
      </DialogActions>
    </div>
  )
}

/** An offline host is removed without force: if it is back online, its agent is stopped first. */
function modeOf(action: RemovalAction, isUntouched: boolean): RemovalMode {
  if (action === 'hide') return 'hide'
  return action === 'force' || (action === 'remove' && !isUntouched) ? 'force' : 'stop'
}

interface Run {
  host: Host
  action: RemovalAction
  mode: RemovalMode
}

function useRemoval(then: { onCommand: (command: DockerCommand) => void; onClose: () => void }) {
  const api = useApi()
  const reload = useSetupReload()
  return useChange({
    mutationFn: ({ host, mode }: Run) => removeHost(api, host.id, mode),
    onSuccess: (outcome, run) => {
      toast.success(successText(run, outcome), toastMs.done)
      if (outcome.command) then.onCommand(outcome.command)
      if (isStopSent(run, outcome)) return
      reload()
      then.onClose()
    },
  })
}

const isStopSent = ({ action }: Run, { gone, command }: RemovalOutcome): boolean =>
  command !== undefined || (!gone && (action === 'stop' || action === 'retry'))

function successText(run: Run, outcome: RemovalOutcome): string {
  const { name } = run.host
  if (run.action === 'hide') return `Hidden Docker host ${name}`
  return isStopSent(run, outcome) ? `Stop command sent to ${name}` : `Removed Docker host ${name}`
}

const failureTitles: Record<RemovalAction, string> = {
  stop: 'Failed to send stop command',
  retry: 'Failed to send stop command',
  remove: 'Failed to remove Docker host',
  force: 'Failed to remove Docker host',
  hide: 'Failed to hide Docker host',
}

function Failure({ action, error }: { action: RemovalAction; error: Error }) {
  const { title, reason } = failureOf(failureTitles[action], error)!
  return (
    <Notice tone="red" title={title} announce>
      {reason}
    </Notice>
  )
}

/** Closes the dialog once the agent has stopped and its host is gone. */
function useFarewell({ name }: Host, isGone: boolean, onClose: () => void) {
  const reload = useSetupReload()
  const onGone = useEffectEvent(() => {
    toast.success(`Removed Docker host ${name}`, toastMs.done)
    reload()
    onClose()
  })
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone])
}
