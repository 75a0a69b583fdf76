import type { AgentKind, Host } from '../agent-kind.ts'
import { isFields } from '../report-fields.ts'

/** The kinds of agent. The first one stands in for an unknown name. */
export interface AgentKinds {
  named(name: unknown): AgentKind
  /** The key of a host begins with its kind. */
  of(host: Pick<Host, 'key'>): AgentKind
}

export function createAgentKinds([first, ...others]: readonly [AgentKind, ...AgentKind[]]): AgentKinds {
  const named = (name: unknown) => others.find((kind) => kind.name === name) ?? first
  return { named, of: ({ key }) => named(key.slice(0, key.lastIndexOf('-'))) }
}

/** Which kind of agent sent a report: its field `agent.kind`, which agents of container hosts do not send. */
export function nameOfKind(body: unknown): unknown {
  const agent = isFields(body) ? body['agent'] : undefined
  return isFields(agent) ? agent['kind'] : undefined
}
