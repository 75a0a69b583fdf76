import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { gzipSync } from 'node:zlib'
import { call } from './call.ts'
import type { Called } from './call.ts'
import type { AgentKind, DockerHost } from './host.ts'
import { reportOf } from './report.ts'
import type { Report } from './report.ts'

export interface Target {
  url: string
  token: string
  /** version of our own agents */
  version: string
  intervalSeconds: number
}

/** The result of one report. */
export interface Sent {
  host: string
  /** Absent if there was no response. */
  status?: number
  error?: string
  /** from the first byte of the request to the last byte of the response */
  ms?: number
  bytes: number
  /** The commands of the server. */
  commands: string[]
}

/** The reporting process on a container host. */
export interface ContainerAgent {
  readonly host: DockerHost
  /** It has executed a stop command. */
  readonly isStopped: boolean
  /** The monotonic time until which the server wants no report; otherwise 0. */
  readonly quietUntilMs: number
  target: Target | undefined
  report(): Report
  send(): Promise<Sent>
  /** Asks for the version that the server offers, and returns whether the agent would replace itself with it. */
  askVersion(): Promise<{ version: string; replacesItself: boolean }>
  /** Restarts the agent, as an administrator does. */
  start(): void
  close(): void
}

export const originalVersion = 'v4.25.0'
const defaultTarget = { version: '0.9.0', intervalSeconds: 30 }
const hourMs = 3_600_000
const reportPath = '/api/agents/docker/report'

const userAgents: Record<AgentKind, (version: string) => string> = {
  own: (version) => `pulse-agent/${version}`,
  original: (version) => `pulse-docker-agent/${version}`,
}

export function createAgent(host: DockerHost, now: () => number): ContainerAgent {
  const connections = { maxSockets: 1, keepAlive: true }
  const agents = { 'http:': new HttpAgent(connections), 'https:': new HttpsAgent(connections) }
  const isOwn = host.agentKind === 'own'
  let handled = new Set<string>()
  let isStopped = false
  let quietUntilMs = 0
  let target: Target | undefined
  const version = () => (isOwn ? (target ?? defaultTarget).version : originalVersion)

  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<Called & { bytes: number }> {
    if (!target) throw new Error(`${host.name} has no server to report to`)
    const url = new URL(path, target.url)
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const isPacked = isOwn && text !== undefined && text.length > 1024
    const content = isPacked ? gzipSync(text) : text
    const headers = {
      'User-Agent': userAgents[host.agentKind](version()),
      ...(content && { 'Content-Type': 'application/json' }),
      ...(isPacked && { 'Content-Encoding': 'gzip' }),
      // The v4 agent sends its token twice.
      Authorization: `Bearer ${target.token}`,
      ...(!isOwn && { 'X-Api-Token': target.token, 'Accept-Encoding': 'gzip' }),
    }
    const agent = agents[url.protocol as 'http:' | 'https:']
    return { ...(await call(method, url.href, headers, agent, content)), bytes: content?.length ?? 0 }
  }

  const acknowledge = (id: string, status: string, message: string) =>
    ask('POST', `/api/agents/docker/commands/${encodeURIComponent(id)}/ack`, {
      hostId: hostId(),
      status,
      message,
    })

  const hostId = () => (host.pins.identityOf ?? host).agentId

  /** A server repeats a command until it is completed; the agent executes each command once. */
  async function obey({ id, type }: Command): Promise<void> {
    if (type !== 'stop' || handled.has(id) || host.pins.stop === 'ignored') return
    handled.add(id)
    if (host.pins.stop === 'fails') {
      await acknowledge(id, 'failed', 'systemctl disable pulse-docker-agent.service: access denied')
      return
    }
    if (isOwn) await acknowledge(id, 'acknowledged', 'Stopping')
    await acknowledge(id, 'completed', 'Agent shutting down')
    isStopped = true
  }

  const report = () =>
    reportOf(host, {
      version: version(),
      intervalSeconds: (target ?? defaultTarget).intervalSeconds,
      atMs: now(),
    })

  return {
    host,
    get isStopped() {
      return isStopped
    },
    get quietUntilMs() {
      return quietUntilMs
    },
    get target() {
      return target
    },
    set target(value) {
      target = value
      quietUntilMs = 0
    },
    report,
    async send() {
      const body = report()
      if (host.pins.emptyReports) host.pins.emptyReports--
      let sent: Sent = { host: host.name, bytes: 0, commands: [] }
      try {
        const { status, body: reply, ms, bytes, retryAfterSeconds } = await ask('POST', reportPath, body)
        if (isOwn) quietUntilMs = quietAfter(status, retryAfterSeconds)
        const commands = commandsIn(reply)
        sent = { ...sent, status, ms, bytes, commands: commands.map(({ type }) => type) }
        for (const command of commands) await obey(command)
      } catch (error) {
        sent.error = String(error)
      }
      return sent
    },
    async askVersion() {
      const { body } = await ask('GET', '/api/agent/version')
      const offered = String((body as { version?: unknown } | null)?.version)
      return { version: offered, replacesItself: offered !== 'dev' && offered !== version() }
    },
    start() {
      isStopped = false
      quietUntilMs = 0
      handled = new Set()
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** A removed host asks once an hour whether it may report again. */
function quietAfter(status: number, retryAfterSeconds: number | undefined): number {
  if (status === 410) return performance.now() + hourMs
  return retryAfterSeconds === undefined || status < 400 ? 0 : performance.now() + 1000 * retryAfterSeconds
}

interface Command {
  id: string
  type: string
}

function commandsIn(reply: unknown): Command[] {
  const commands = (reply as { commands?: unknown } | null)?.commands
  return Array.isArray(commands) ? (commands as Command[]) : []
}
