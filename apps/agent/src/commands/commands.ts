import type { Clock } from '@pulse/domain'
import { call, credentials } from '../deliver/http-call.ts'
import type { Command } from '../deliver/outbox.ts'
import { type Log, errorText } from '../log.ts'
import type { Autostart } from './autostart.ts'

export interface CommandParts {
  autostart: Autostart
  clock: Clock
  log: Log
  timeoutMs: number
  /** ends the agent for good */
  finish: () => void
}

interface Outcome {
  status: 'completed' | 'failed'
  message: string
}

/** Attempts to report a result. After them the agent exits without the report. */
const tries = 4
const pauseMs = 3_000
/** Remembered ids, because a server repeats a command for ten minutes. */
const mostRemembered = 100

/** Executes each command of the servers once. */
export class Commands {
  /** by command id; undefined during the execution */
  #outcomes = new Map<string, Outcome | undefined>()

  readonly parts: CommandParts

  constructor(parts: CommandParts) {
    this.parts = parts
  }

  async handle(command: Command): Promise<void> {
    if (this.#outcomes.has(command.id)) return this.#repeat(command)
    this.#outcomes.set(command.id, undefined)
    for (const id of this.#outcomes.keys()) {
      if (this.#outcomes.size > mostRemembered) this.#outcomes.delete(id)
    }
    if (command.type === 'stop') return this.#stop(command)
    await this.#end(command, { status: 'failed', message: 'Unknown command.' })
  }

  /** The server repeats a command when it has not received the result. */
  async #repeat(command: Command): Promise<void> {
    const outcome = this.#outcomes.get(command.id)
    if (outcome) await this.#report(command, outcome.status, outcome.message)
  }

  async #stop(command: Command): Promise<void> {
    const { autostart, log, finish } = this.parts
    log.info(`${command.target.url} asks this agent to stop`)
    await this.#report(command, 'acknowledged', 'Stopping')
    try {
      await autostart.disable()
    } catch (error) {
      log.error(`cannot disable the start at boot, so the agent keeps running: ${errorText(error)}`)
      return this.#end(command, { status: 'failed', message: errorText(error) })
    }
    await this.#end(command, { status: 'completed', message: 'Agent shutting down' })
    await autostart.letEnd().catch((error: unknown) => log.warn(errorText(error)))
    finish()
  }

  async #end(command: Command, outcome: Outcome): Promise<void> {
    this.#outcomes.set(command.id, outcome)
    for (let left = tries; left > 0; left--) {
      if (await this.#report(command, outcome.status, outcome.message)) return
      if (left > 1) await new Promise<void>((resolve) => void this.parts.clock.after(pauseMs, resolve))
    }
  }

  /** True if the server received it. A rejection counts too: the server has forgotten the command. */
  async #report(command: Command, status: string, message: string): Promise<boolean> {
    const { log, timeoutMs } = this.parts
    const { target, id, hostId } = command
    try {
      const answer = await call(target, {
        method: 'POST',
        path: `/api/agents/docker/commands/${encodeURIComponent(id)}/ack`,
        headers: { ...credentials(target), 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ hostId, status, message: message.slice(0, 500) })),
        timeoutMs,
      })
      return answer.status < 500 && answer.status !== 429
    } catch (error) {
      log.warn(`${target.url} could not receive that the command is ${status}: ${errorText(error)}`)
      return false
    }
  }
}
