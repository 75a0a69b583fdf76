import {
  type Diagnostics,
  diagnosticsExportVersion,
  type NodeConfig,
  type PlainState,
  type VersionInfo,
} from '@pulse/contract'
import { type Category } from './fields.ts'
import { addParts, collect, createKnown } from './known.ts'
import { sanitize } from './sanitize.ts'

export type ExportMode = 'full' | 'sanitized'

export interface ExportSources {
  product: VersionInfo
  diagnostics: Diagnostics
  connections: readonly NodeConfig[]
  state: PlainState
  /** what the state does not tell: users, tokens, the machine's own names and addresses, settings */
  alsoKnown: readonly (readonly [value: string, category: Category])[]
}

const backupsPerKind = 10
const mostAlerts = 20

/** Everything somebody needs who is to help, and in the sanitised form nothing that says whose it is. */
export async function exportDiagnostics(
  mode: ExportMode,
  sources: ExportSources,
  now: number,
): Promise<unknown> {
  const { product, diagnostics, connections, state, alsoKnown } = sources
  const file = {
    version: diagnosticsExportVersion,
    exportedAt: new Date(now).toISOString(),
    mode,
    product,
    diagnostics,
    connections,
    state: shortened(state),
  }
  if (mode === 'full') return file
  const known = createKnown()
  for (const [value, category] of alsoKnown) addParts(known, value, category)
  await collect(known, { connections, diagnostics, state })
  return sanitize(file, known)
}

function shortened({ backups: _same, metrics: _empty, ...state }: PlainState) {
  const few = <T>(list: readonly T[]) => list.slice(0, backupsPerKind)
  const { backupTasks, storageBackups, guestSnapshots } = state.pveBackups
  return {
    ...state,
    pveBackups: {
      backupTasks: few(backupTasks),
      storageBackups: few(storageBackups),
      guestSnapshots: few(guestSnapshots),
    },
    pbsBackups: few(state.pbsBackups),
    pmgBackups: few(state.pmgBackups),
    activeAlerts: state.activeAlerts.slice(0, mostAlerts),
    recentlyResolved: state.recentlyResolved.slice(0, mostAlerts),
  }
}

export const exportFileName = (mode: ExportMode, now: number): string =>
  `pulse-diagnostics-${mode}-${new Date(now).toISOString().slice(0, 10)}.json`
