import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { AgentCommand, Host } from '../agent-kind.ts'
import type { AgentProtocol } from './protocol.ts'

/** Lifetime of a command, from its creation. An agent must not carry it out later. */
export const commandLifeMs = 10 * 60_000

const active: readonly AgentCommand['status'][] = ['queued', 'dispatched', 'acknowledged']
type ActiveCommand = AgentCommand & { status: 'queued' | 'dispatched' | 'acknowledged' }

export const isActive = (command: AgentCommand | undefined): command is ActiveCommand =>
  command !== undefined && active.includes(command.status)

/** Result of a command, by the words that different agents use. */
const outcomes: Record<string, 'acknowledged' | 'completed' | 'failed'> = {
  '': 'acknowledged',
  ack: 'acknowledged',
  acknowledged: 'acknowledged',
  success: 'completed',
  complete: 'completed',
  completed: 'completed',
  fail: 'failed',
  failed: 'failed',
  error: 'failed',
}

export function outcomeOf(status: unknown): 'acknowledged' | 'completed' | 'failed' {
  const word =
    typeof status === 'string' ? status.trim().toLowerCase() : status === undefined ? '' : undefined
  const outcome = word !== undefined && Object.hasOwn(outcomes, word) ? outcomes[word] : undefined
  if (outcome) return outcome
  throw new AppError('invalid_status', 'status must be acknowledged, completed or failed.')
}

/** The answer to the host's next report stops its agent. */
export function queueStop(host: Host, clock: Clock, protocol: Pick<AgentProtocol, 'name'>): AgentCommand {
  if (isActive(host.command)) {
    throw new AppError(
      `${protocol.name}_command_failed`,
      `The agent of ${host.facts.displayName} was already asked to stop. Wait for it, or remove the host by force.`,
    )
  }
  const now = clock.now()
  host.command = {
    id: randomUUID(),
    type: 'stop',
    status: 'queued',
    createdAt: now,
    updatedAt: now,
    expiresAt: now + commandLifeMs,
  }
  host.commandEndsAt = clock.monotonic() + commandLifeMs
  markPending(host, clock)
  return host.command
}

export function markPending(host: Host, clock: Clock): void {
  host.pendingUninstall = true
  host.pendingSince = clock.monotonic()
}

/**
 * The command in the reply to a report. It is repeated until the agent reports its result, because either
 * answer may be lost. The agent uses the id to skip a repeated command.
 */
export function dispatch(host: Host, nowMs: number): AgentCommand | undefined {
  const { command } = host
  if (!isActive(command)) return undefined
  if (command.status === 'queued') {
    host.command = { ...command, status: 'dispatched', dispatchedAt: nowMs, updatedAt: nowMs }
  }
  return host.command
}

/** Stores the result of a command. */
export function settle(
  host: Host,
  command: AgentCommand,
  outcome: 'acknowledged' | 'completed' | 'failed',
  message: string,
  nowMs: number,
): AgentCommand {
  const common = { ...command, status: outcome, updatedAt: nowMs, ...(message !== '' && { message }) }
  if (outcome === 'acknowledged') host.command = { ...common, acknowledgedAt: nowMs }
  else if (outcome === 'completed') host.command = { ...common, completedAt: nowMs }
  else {
    host.command = { ...common, failedAt: nowMs, ...(message !== '' && { failureReason: message }) }
    host.pendingUninstall = false
  }
  return host.command
}

/** True if the command has just expired. */
export function expire(host: Host, clock: Clock): boolean {
  const { command } = host
  if (!isActive(command) || clock.monotonic() < host.commandEndsAt) return false
  host.command = {
    ...command,
    status: 'expired',
    updatedAt: clock.now(),
    failureReason: 'The agent did not run the command within 10 minutes.',
  }
  host.pendingUninstall = false
  return true
}

/** The host was marked for removal long ago and still reports: an administrator changed their mind. */
export function isBackForGood(host: Host, clock: Clock): boolean {
  return (
    host.pendingUninstall && !isActive(host.command) && clock.monotonic() - host.pendingSince >= commandLifeMs
  )
}
