import type { Area } from '../area.ts'
import type { Clock } from '@pulse/domain'
import { createDiagnostics } from './diagnostics.ts'
import { diagnosticsRoutes, type DiagnosticsRoutes } from './routes.ts'
import { type Surroundings, surroundings } from './surroundings.ts'

export interface DiagnosticsEdges extends Omit<DiagnosticsRoutes, 'alsoKnown'>, Surroundings {
  /** each may have something to say */
  areas: readonly Area[]
  clock: Clock
}

/** What is wrong and where, asked of every area. */
export function diagnosticsArea({ areas, ...edges }: DiagnosticsEdges): Area {
  const diagnostics = createDiagnostics(areas, edges.clock)
  const alsoKnown = () => surroundings(edges)
  return {
    name: 'the diagnostics',
    routes: diagnosticsRoutes(diagnostics, { ...edges, alsoKnown }),
  }
}
