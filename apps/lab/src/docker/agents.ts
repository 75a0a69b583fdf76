import { fraction } from '../random.ts'
import { createAgent } from './agent.ts'
import type { ContainerAgent, Sent, Target } from './agent.ts'
import type { AgentKind, DockerHost } from './host.ts'
import { containersOf } from './report.ts'

/** The server for reports, with one token for all hosts or one for each. Hosts without a token do not report. */
export interface ReportTo {
  url: string
  token?: string
  /** by name of the host */
  tokens?: Readonly<Record<string, string>>
  /** The version that our agents report; default 0.9.0. */
  version?: string
  /** Default 30; with 0 agents report only on demand. */
  intervalSeconds?: number
  /** Spreads reports over the interval, as on a large site; otherwise all agents start at once. */
  spread?: boolean
}

export interface DockerHostView {
  name: string
  agentId: string
  machineId: string
  agent: AgentKind
  containers: number
  /** It has executed a stop command. */
  isStopped: boolean
  isOffline: boolean
  /** The number of reports by response status; `none` counts reports without a response. */
  answers: Record<string, number>
}

/** All container hosts of the lab and their agents. */
export interface DockerAgents {
  readonly agents: readonly ContainerAgent[]
  reportTo(where: ReportTo): void
  /** Reports at once, for running hosts with a running agent. */
  send(agents?: readonly ContainerAgent[]): Promise<Sent[]>
  views(): DockerHostView[]
  /** Called with the result of every report. */
  onSent(listener: (sent: Sent) => void): void
  close(): void
}

const isQuiet = ({ host, isStopped, target }: ContainerAgent) =>
  isStopped || target === undefined || host.pins.offline === true

export function createDockerAgents(hosts: readonly DockerHost[], now: () => number): DockerAgents {
  const agents = hosts.map((host) => createAgent(host, now))
  const answers = new Map<ContainerAgent, Record<string, number>>(agents.map((agent) => [agent, {}]))
  const timers = new Map<ContainerAgent, NodeJS.Timeout>()
  const listeners = new Set<(sent: Sent) => void>()

  async function sendOne(agent: ContainerAgent): Promise<Sent> {
    const sent = await agent.send()
    const counted = answers.get(agent)!
    const key = String(sent.status ?? 'none')
    counted[key] = (counted[key] ?? 0) + 1
    for (const listener of listeners) listener(sent)
    return sent
  }

  function stopTimers(): void {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }

  /** The next report is due one interval after the due time of this one. */
  function beginTimer(agent: ContainerAgent, waitMs: number, intervalMs: number): void {
    const dueMs = performance.now() + waitMs
    const timer = setTimeout(() => {
      const sending = isQuiet(agent) || agent.quietUntilMs > performance.now() ? undefined : sendOne(agent)
      const next = () => {
        if (timers.get(agent) !== timer) return
        beginTimer(agent, Math.max(0, dueMs + intervalMs - performance.now()), intervalMs)
      }
      if (sending) void sending.finally(next)
      else next()
    }, waitMs)
    timers.set(agent, timer)
  }

  return {
    agents,
    reportTo({ url, token, tokens, version = '0.9.0', intervalSeconds = 30, spread = false }) {
      stopTimers()
      for (const agent of agents) {
        const own = tokens?.[agent.host.name] ?? token
        const target: Target | undefined =
          own === undefined ? undefined : { url, token: own, version, intervalSeconds: intervalSeconds || 30 }
        agent.target = target
        if (intervalSeconds === 0) continue
        const intervalMs = 1000 * intervalSeconds
        beginTimer(agent, spread ? fraction(agent.host.seed, 1) * intervalMs : 0, intervalMs)
      }
    },
    send: (some = agents) => Promise.all(some.filter((agent) => !isQuiet(agent)).map(sendOne)),
    views: () =>
      agents.map((agent) => ({
        name: agent.host.name,
        agentId: (agent.host.pins.identityOf ?? agent.host).agentId,
        machineId: (agent.host.pins.identityOf ?? agent.host).machineId,
        agent: agent.host.agentKind,
        containers: containersOf(agent.host).length,
        isStopped: agent.isStopped,
        isOffline: agent.host.pins.offline === true,
        answers: { ...answers.get(agent)! },
      })),
    onSent: (listener) => void listeners.add(listener),
    close() {
      stopTimers()
      for (const agent of agents) agent.close()
    },
  }
}
