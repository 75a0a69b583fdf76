import {
  Diagnostics,
  getDiagnostics,
  getDiagnosticsExport,
  type NodeConfig,
  type VersionInfo,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { PlainState } from '@pulse/contract'
import type { DiagnosticsArea } from './diagnostics.ts'
import { exportDiagnostics, exportFileName, type ExportSources } from './export.ts'
import type { PlainView } from '../state/plain-view.ts'
import { RawReply, route } from '../http/route.ts'

export interface DiagnosticsParts {
  diagnostics: DiagnosticsArea
  view: PlainView
  connections: { list(): NodeConfig[] }
  version: VersionInfo
  alsoKnown: () => ExportSources['alsoKnown']
  clock: Clock
}

export const diagnosticsRoutes = (parts: DiagnosticsParts) => [
  route(getDiagnostics, async () => {
    const { result, at } = await parts.diagnostics.run()
    return new RawReply(Buffer.from(JSON.stringify(Diagnostics.parse(result))), {
      'x-diagnostics-cached-at': new Date(at).toISOString(),
    })
  }),
  route(getDiagnosticsExport, async ({ query: { mode = 'full' } }) => {
    const { result } = await parts.diagnostics.run()
    const now = parts.clock.now()
    const sources = {
      product: parts.version,
      diagnostics: result,
      connections: parts.connections.list(),
      state: JSON.parse(parts.view.json().toString()) as PlainState,
      alsoKnown: parts.alsoKnown(),
    }
    const file = await exportDiagnostics(mode, sources, now)
    return new RawReply(Buffer.from(`${JSON.stringify(file, null, 2)}\n`), {
      'content-disposition': `attachment; filename="${exportFileName(mode, now)}"`,
    })
  }),
]
