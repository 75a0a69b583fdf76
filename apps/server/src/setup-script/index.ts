import type { Area } from '../area.ts'
import { setupScriptRoutes, type SetupScriptParts } from './routes.ts'
import { createSetupScripts, type SetupScriptEdges } from './setup-scripts.ts'

export interface SetupScriptAreaEdges extends Omit<SetupScriptEdges, 'hasLeft'> {
  access: Omit<SetupScriptParts, 'setupScript'> & { departures: Pick<SetupScriptEdges, 'hasLeft'> }
}

/** Lets a host make the account that Pulse watches it with, and register itself. */
export function setupScriptArea({ access, ...edges }: SetupScriptAreaEdges): Area {
  const setupScript = createSetupScripts({ ...edges, hasLeft: access.departures.hasLeft })
  return {
    name: 'the setup scripts',
    routes: setupScriptRoutes({ setupScript, tokens: access.tokens, audit: access.audit }),
  }
}
