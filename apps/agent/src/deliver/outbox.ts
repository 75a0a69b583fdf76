import type { DockerReport } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { promisify } from 'node:util'
import { fields, list, text } from '../engine/read.ts'
import { type Log, errorText } from '../log.ts'
import type { Target } from '../settings/targets.ts'
import { backOffMs, retryAfterMs } from './backoff.ts'
import { type Answer, call, credentials } from './http-call.ts'

/** A command of a server. */
export interface Command {
  id: string
  type: string
  /** the server that sent the command, and its id for this host */
  target: Target
  hostId: string
}

export interface OutboxParts {
  target: Target
  clock: Clock
  log: Log
  random: () => number
  timeoutMs: number
  onTaken?: () => void
  onCommand: (command: Command) => void
}

/** An administrator has removed this host and may readmit it, so retries are rare. */
const removedMs = 60 * 60_000
/** Shorter texts do not shrink when compressed. */
const worthwhileBytes = 1_024
/** A server has one command at a time for a host. The bound limits the requests caused by a faulty reply. */
const mostCommands = 10
const longestId = 128

/** Delivers the newest report to one server. An undelivered older report is dropped. */
export class Outbox {
  #waiting: DockerReport | undefined
  #isBusy = false
  #failures = 0
  #trouble: string | undefined
  #takesGzip = false
  #cancelRetry: (() => void) | undefined

  readonly parts: OutboxParts

  constructor(parts: OutboxParts) {
    this.parts = parts
  }

  /** Whether a delivery is running. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether the server has proved to be Pulse: only Pulse accepts gzip. */
  get isOurs(): boolean {
    return this.#takesGzip
  }

  offer(report: DockerReport): void {
    this.#waiting = report
    if (!this.#isBusy && !this.#cancelRetry) void this.#deliver()
  }

  stop(): void {
    this.#waiting = undefined
    this.#cancelRetry?.()
  }

  async #deliver(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting && !this.#cancelRetry) {
      const report = this.#waiting
      const answer = await this.#post(report).catch((error: unknown) => error as Error)
      const isTaken = !(answer instanceof Error) && isReplyOfServer(answer)
      if (isTaken && this.#waiting === report) this.#waiting = undefined
      if (isTaken) {
        this.parts.onTaken?.()
        this.#delivered(answer, report.containers.length)
      } else this.#failed(answer)
    }
    this.#isBusy = false
  }

  async #post(report: DockerReport): Promise<Answer> {
    const json = Buffer.from(JSON.stringify(report))
    if (this.#takesGzip && json.length > worthwhileBytes) {
      const { gzip } = process.getBuiltinModule('node:zlib')
      const answer = await this.#send(await promisify(gzip)(json), { 'content-encoding': 'gzip' })
      if (answer.status !== 415) return answer
      this.#takesGzip = false
    }
    return this.#send(json, {})
  }

  #send(body: Buffer, headers: Record<string, string>): Promise<Answer> {
    const { target, timeoutMs } = this.parts
    return call(target, {
      method: 'POST',
      path: '/api/agents/docker/report',
      headers: { ...credentials(target), 'content-type': 'application/json', ...headers },
      body,
      timeoutMs,
    })
  }

  #delivered(answer: Answer, containers: number): void {
    const { target, log, onCommand } = this.parts
    if (this.#failures > 0 || this.#trouble === undefined) {
      log.info(`${target.url} accepts the reports of this host (${containers} containers)`)
    }
    this.#failures = 0
    this.#trouble = ''
    // only Pulse announces its accepted encodings
    this.#takesGzip = /\bgzip\b/.test(String(answer.headers['accept-encoding'] ?? ''))
    const reply = replyOf(answer.body)
    for (const { id, type } of reply.commands) onCommand({ id, type, target, hostId: reply.hostId })
  }

  #failed(answer: Answer | Error): void {
    const { target, log, clock, random } = this.parts
    this.#failures++
    const asked = answer instanceof Error ? undefined : askedMs(answer)
    const waitMs = backOffMs(this.#failures, asked, random)
    const trouble = answer instanceof Error ? unreached(answer) : refused(answer)
    if (trouble !== this.#trouble) {
      log.warn(`${target.url} ${trouble} Retrying in ${Math.round(waitMs / 1000)} s.`)
    }
    this.#trouble = trouble
    this.#cancelRetry = clock.after(waitMs, () => {
      this.#cancelRetry = undefined
      if (!this.#isBusy) void this.#deliver()
    })
  }
}

function askedMs({ status, headers }: Answer): number | undefined {
  return retryAfterMs(headers['retry-after']) ?? (status === 410 ? removedMs : undefined)
}

const unreached = (error: Error) =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? 'did not answer in time.'
    : `could not be reached: ${errorText(error)}.`

const reasons: Record<number, string> = {
  401: 'does not accept the token.',
  403: 'does not let this token report for this host.',
  404: 'has no such API: is this the URL of a Pulse server?',
  410: 'has removed this host. Allow it to report again there, or stop this agent.',
  413: 'rejects reports of this size.',
  429: 'rate-limits this agent.',
}

function refused({ status, headers, body }: Answer): string {
  const reply = fields(parsed(body))
  const message = text(reply.error) ?? text(reply.message)
  if (status >= 300 && status < 400)
    return `sends elsewhere, to ${headers.location ?? 'nowhere'}: use that address.`
  if (status >= 200 && status < 300)
    return `answered ${status}, which is not an answer of Pulse: is this the URL of a Pulse server?`
  const reason = reasons[status] ?? `answered ${status}.`
  return message ? `${reason} It says: ${message.slice(0, 300)}` : reason
}

/** Another program at this address, or a proxy, may answer 200 without having accepted the report. */
function isReplyOfServer({ status, body }: Answer): boolean {
  const reply = parsed(body)
  const isObject = typeof reply === 'object' && reply !== null && !Array.isArray(reply)
  return status >= 200 && status < 300 && isObject && fields(reply).success !== false
}

function replyOf(body: string) {
  const reply = fields(parsed(body))
  const commands = list(reply.commands)
    .flatMap((entry) => {
      const { id, type } = fields(entry)
      return text(id) && text(type) ? [{ id: String(id), type: String(type) }] : []
    })
    .filter(({ id }) => id.length <= longestId)
    .slice(0, mostCommands)
  return { hostId: text(reply.hostId) ?? '', commands }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // a proxy in front of the server answers in its own format
  }
}
