import type { AgentKind, Host } from '../agent-kind.ts'
import { isFields } from '../report-fields.ts'

/** The kinds of agent. An unknown name selects the first one. */
export interface AgentKinds {
  named(name: unknown): AgentKind
  /** The key of a host begins with its kind. */
  of(host: Pick<Host, 'key'>): AgentKind
}

export function createAgentKinds([first, ...others]: readonly [AgentKind, ...AgentKind[]]): AgentKinds {
  const named = (name: unknown) => others.find((kind) => kind.name === name) ?? first
  return { named, of: ({ key }) => named(key.slice(0, key.lastIndexOf('-'))) }
}

/**
 * The kind of agent that sent a report, from its field `agent.kind`. Agents of container hosts do not send
 * it.
 */
export function nameOfKind(body: unknown): unknown {
  const agent = isFields(body) ? body['agent'] : undefined
  return isFields(agent) ? agent['kind'] : undefined
}
