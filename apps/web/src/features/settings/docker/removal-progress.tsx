import type { DockerCommand } from '@pulse/contract'
import { agentUninstallCommand } from '@pulse/domain'
import { Circle, CircleCheck, CircleDotDashed, CircleX } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { CommandField } from '../command-field.tsx'
import { failureText, markForUninstall, toastMs } from './host-calls.ts'
import type { Host } from './hosts.ts'
import { failureReason, type StepState, type StopPhase, stopSteps } from './stop-state.ts'
import { useDockerSetup } from './use-docker-setup.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'

interface RemovalProgressProps {
  host: Host
  phase: StopPhase
  command: DockerCommand | undefined
}

/** Planned steps, completed steps and errors. */
export function RemovalProgress({ host, phase, command }: RemovalProgressProps) {
  return (
    <div className="flex flex-col gap-3 text-table text-ink-2">
      <p>{explain(host, phase)}</p>
      {command && phase !== 'none' && <Steps command={command} />}
      {command && phase === 'failed' && (
        <Notice tone="red" title="The agent was not stopped" announce>
          {failureReason(command)}
        </Notice>
      )}
      {host.isOnline && phase !== 'stopped' && <ByHand host={host} />}
    </div>
  )
}

function explain({ isOnline, intervalSeconds }: Host, phase: StopPhase): string {
  if (phase === 'stopped') return 'The agent has stopped. You can remove the records of the host.'
  if (!isOnline) {
    return 'The host does not report. Pulse removes it and refuses its agent for 24 hours, unless the agent has a new token.'
  }
  switch (phase) {
    case 'none':
      return 'Pulse stops the agent permanently. The host disappears when the agent has confirmed; its containers keep running.'
    case 'stopping':
      return `The agent receives the request with its next report, within ${intervalSeconds} s. The host disappears when the agent has stopped.`
    case 'by-hand':
      return 'The uninstall command was copied. Remove the host here when it no longer reports, or let Pulse stop the agent.'
    case 'failed':
      return 'Try again, uninstall the agent manually, or remove the host from Pulse: its agent then keeps running and is refused.'
  }
}

const looks: Record<StepState, { icon: typeof Circle; className: string; text: string }> = {
  done: { icon: CircleCheck, className: 'text-green', text: 'done' },
  active: { icon: CircleDotDashed, className: 'text-accent', text: 'under way' },
  failed: { icon: CircleX, className: 'text-red', text: 'failed' },
  waiting: { icon: Circle, className: 'text-ink-3', text: 'not yet' },
}

const Steps = ({ command }: { command: DockerCommand }) => (
  <ol aria-label="Progress" aria-live="polite" className="flex flex-col gap-1.5">
    {stopSteps(command).map(({ text, state }) => {
      const { icon: Icon, className, text: stateText } = looks[state]
      return (
        <li
          key={text}
          {...(state === 'active' && { 'aria-current': 'step' as const })}
          className={cx('flex items-center gap-2', state === 'waiting' ? 'text-ink-3' : 'text-ink')}
        >
          <Icon aria-hidden size={15} className={cx('shrink-0', className)} />
          <span>
            {text}
            <span className="sr-only">{`: ${stateText}`}</span>
          </span>
        </li>
      )
    })}
  </ol>
)

/** Manual uninstall of an agent that does not react. Copying the command marks the uninstall as pending. */
function ByHand({ host }: { host: Host }) {
  const api = useApi()
  const { pulseUrl } = useDockerSetup()
  if (pulseUrl === undefined) return null
  const onCopied = () =>
    void markForUninstall(api, host.id).catch((error: Error) =>
      toast.error(failureText('Failed to mark Docker host for uninstall', error), toastMs.failed),
    )
  return (
    <Disclosure summary="Uninstall manually" keepMounted>
      <div className="mt-2 flex flex-col gap-2">
        <CommandField
          label="Uninstall command"
          command={agentUninstallCommand(pulseUrl)}
          onCopied={onCopied}
        />
        <p className="text-xs">
          Run it as root on the host. The host can be removed here once it is offline.
        </p>
      </div>
    </Disclosure>
  )
}
