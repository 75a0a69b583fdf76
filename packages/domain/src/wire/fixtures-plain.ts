import { type Meta, type RecordKind, recordKinds } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'

export const now = Date.UTC(2026, 0, 2)
export const meta: Meta = {
  performance: {
    apiCallDuration: {},
    lastPollDuration: 0.2,
    pollingStartTime: '2026-01-01T00:00:00.000Z',
    totalApiCalls: 5,
    failedApiCalls: 1,
    cacheHits: 0,
    cacheMisses: 0,
  },
  stats: {
    startTime: '2026-01-01T00:00:00.000Z',
    pollingCycles: 3,
    webSocketClients: 1,
    version: '0.1.0',
  },
  notices: [],
}

/** Tables with some records, and a source that answered three seconds ago. */
export function tables(filled: { [K in RecordKind]?: Record<string, object> }): Tables {
  const sources = { 'pve-1': { name: 'home', kind: 'pve', health: 'healthy', lastSeen: now - 3_000 } }
  const all = { sources, ...filled }
  const entries = recordKinds().map((kind) => [kind, new Map(Object.entries(all[kind] ?? {}))])
  return Object.fromEntries(entries) as Tables
}
