import type { DockerCommand, DockerHost } from '@pulse/contract'
import type { UiTone } from '../../../ui/tone-class.ts'

/**
 * Progress of stopping an agent: not requested, command under way, manual uninstall by an administrator,
 * stopped, or failed.
 */
export type StopPhase = 'none' | 'stopping' | 'by-hand' | 'stopped' | 'failed'

type Stopping = Pick<DockerHost, 'command' | 'pendingUninstall'>

export function stopPhase({ command, pendingUninstall }: Stopping): StopPhase {
  switch (command?.status) {
    case 'queued':
    case 'dispatched':
    case 'acknowledged':
      return 'stopping'
    case 'completed':
      return 'stopped'
    case 'failed':
    case 'expired':
      return 'failed'
    case undefined:
      return pendingUninstall ? 'by-hand' : 'none'
  }
}

/** The agent is being stopped or uninstalled. */
const isBeingStopped = (phase: StopPhase): boolean => phase === 'stopping' || phase === 'by-hand'

export const stopBadges: Record<StopPhase, { text: string; tone: UiTone } | undefined> = {
  none: undefined,
  stopping: { text: 'Stopping', tone: 'yellow' },
  'by-hand': { text: 'Stopping', tone: 'yellow' },
  stopped: { text: 'Stopped', tone: 'neutral' },
  failed: { text: 'Failed', tone: 'red' },
}

/** Label of a host's remove button. */
export function removalText(isOnline: boolean, phase: StopPhase): string {
  if (phase === 'failed') return 'Force remove'
  if (phase === 'stopped' || (isBeingStopped(phase) && !isOnline)) return 'Clean up pending host'
  return isOnline ? 'Remove' : 'Remove offline host'
}

export type RemovalAction = 'stop' | 'retry' | 'remove' | 'force' | 'hide'

export const actionTexts: Record<RemovalAction, { text: string; busy: string }> = {
  stop: { text: 'Stop agent now', busy: 'Stopping...' },
  retry: { text: 'Retry stop command', busy: 'Retrying...' },
  remove: { text: 'Remove host', busy: 'Removing...' },
  force: { text: 'Force remove now', busy: 'Removing...' },
  hide: { text: 'Hide host', busy: 'Hiding...' },
}

interface Removable {
  isOnline: boolean
  phase: StopPhase
  hidden: boolean
}

/** Actions of the dialog, the main one first. */
export function removalActions({ isOnline, phase, hidden }: Removable): readonly RemovalAction[] {
  return [...removals(isOnline, phase), ...(hidden ? [] : ['hide' as const])]
}

function removals(isOnline: boolean, phase: StopPhase): readonly RemovalAction[] {
  if (phase === 'stopped') return ['remove']
  if (!isOnline) return phase === 'failed' ? ['force'] : ['remove']
  if (phase === 'failed') return ['retry', 'force']
  return phase === 'stopping' ? ['force'] : ['stop', 'force']
}

export type StepState = 'done' | 'active' | 'failed' | 'waiting'

interface StopStep {
  text: string
  state: StepState
}

const stepTexts = [
  'Stop command queued',
  'Sent to the agent with its next report',
  'Confirmed by the agent, which is stopping',
  'Agent stopped, cleaning up',
  'Host removed',
] as const

/** Number of completed steps. */
function doneSteps({ status, acknowledgedAt, dispatchedAt }: DockerCommand): number {
  switch (status) {
    case 'queued':
      return 1
    case 'dispatched':
      return 2
    case 'acknowledged':
      return 3
    case 'completed':
      return 4
    case 'failed':
    case 'expired':
      return acknowledgedAt !== undefined ? 3 : dispatchedAt !== undefined ? 2 : 1
  }
}

export function stopSteps(command: DockerCommand): readonly StopStep[] {
  const done = doneSteps(command)
  const next = command.status === 'failed' || command.status === 'expired' ? 'failed' : 'active'
  return stepTexts.map((text, index) => ({
    text,
    state: index < done ? 'done' : index === done ? next : 'waiting',
  }))
}

/** Why the agent was not stopped. */
export const failureReason = ({ failureReason: reason }: Pick<DockerCommand, 'failureReason'>): string =>
  reason?.trim() || 'Pulse could not stop the agent automatically.'

/** The newer command: an answer can arrive before or after the live state. */
export function newerCommand(
  live: DockerCommand | undefined,
  answered: DockerCommand | undefined,
): DockerCommand | undefined {
  if (!live || !answered) return live ?? answered
  return answered.createdAt > live.createdAt ? answered : live
}
