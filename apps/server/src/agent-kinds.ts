import type { AgentKind } from './agent-kind.ts'
// registry: imports
import { docker } from './docker/index.ts'

/**
 * Every kind of agent. `npm run format` adds a new folder to this list. The first kind reads reports of Pulse
 * 4.x.
 */
export const agentKinds: readonly [AgentKind, ...AgentKind[]] = [
  // registry: entries
  docker,
]
