import {
  type Diagnostics,
  diagnosticsExportVersion,
  kindOf,
  type NodeConfig,
  plainNames,
  type PlainState,
  recordKinds,
  type VersionInfo,
} from '@pulse/contract'
import type { Category } from '../masking/patterns.ts'
import { addParts, collect, createKnown } from './known.ts'
import { sanitize } from './sanitize.ts'

export type ExportMode = 'full' | 'sanitized'

export interface ExportSources {
  product: VersionInfo
  diagnostics: Diagnostics
  connections: readonly NodeConfig[]
  state: PlainState
  /** names that the state does not contain: users, tokens, the machine's own names and addresses, settings */
  alsoKnown: readonly (readonly [value: string, category: Category])[]
}

/**
 * Everything that support needs. The sanitised form contains nothing that identifies the installation's
 * owner.
 */
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

/** Shortens each list to the length for its kind. */
function shortened({ backups: _same, metrics: _empty, ...state }: PlainState) {
  const short: Record<string, unknown> = { ...state }
  for (const kind of recordKinds()) {
    const most = kindOf(kind).exported
    if (most === undefined) continue
    for (const path of plainNames(kind)) cut(short, path.split('.'), most)
  }
  return short
}

/** Every changed object is replaced by a copy. */
function cut(holder: Record<string, unknown>, [name, ...rest]: string[], most: number) {
  const value = holder[name!]
  if (Array.isArray(value)) holder[name!] = value.slice(0, most)
  else cut((holder[name!] = { ...(value as Record<string, unknown>) }) as Record<string, unknown>, rest, most)
}

export const exportFileName = (mode: ExportMode, now: number): string =>
  `pulse-diagnostics-${mode}-${new Date(now).toISOString().slice(0, 10)}.json`
