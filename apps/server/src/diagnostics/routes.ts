import {
  Diagnostics,
  getDiagnostics,
  getDiagnosticsExport,
  type NodeConfig,
  type PlainState,
  type VersionInfo,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import * as z from 'zod/mini'
import { RawReply, route } from '../http/route.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { DiagnosticsArea } from './diagnostics.ts'
import { exportDiagnostics, exportFileName, type ExportSources } from './export.ts'

export interface DiagnosticsRoutes {
  view: PlainView
  connections: { list(): NodeConfig[] }
  version: VersionInfo
  alsoKnown: () => ExportSources['alsoKnown']
  clock: Clock
}

/** The blocks of the contract are checked; an area may bring another one. */
const Result = z.catchall(Diagnostics, z.unknown())

export const diagnosticsRoutes = (
  diagnostics: DiagnosticsArea,
  { view, connections, version, alsoKnown, clock }: DiagnosticsRoutes,
) => [
  route(getDiagnostics, async () => {
    const { result, at } = await diagnostics.run()
    return new RawReply(Buffer.from(JSON.stringify(Result.parse(result))), {
      'x-diagnostics-cached-at': new Date(at).toISOString(),
    })
  }),
  route(getDiagnosticsExport, async ({ query: { mode = 'full' } }) => {
    const { result } = await diagnostics.run()
    const now = clock.now()
    const sources = {
      product: version,
      diagnostics: result,
      connections: connections.list(),
      state: JSON.parse(String(await view.json())) as PlainState,
      alsoKnown: alsoKnown(),
    }
    const file = await exportDiagnostics(mode, sources, now)
    return new RawReply(Buffer.from(`${JSON.stringify(file, null, 2)}\n`), {
      'content-disposition': `attachment; filename="${exportFileName(mode, now)}"`,
    })
  }),
]
