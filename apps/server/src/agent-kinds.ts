import type { AgentKind } from './agent-kind.ts'
// registry: imports
import { docker } from './docker/index.ts'

/** Every kind of agent. One more is a folder; npm run format lists it here. The first reads reports of Pulse 4.x. */
export const agentKinds: readonly [AgentKind, ...AgentKind[]] = [
  // registry: entries
  docker,
]
