import { type RecordKind, type RecordOf, recordKinds } from '@pulse/contract'
import type { Records } from './patch.ts'

/** All records, by kind and identity. */
export type Tables = { [K in RecordKind]: Records<RecordOf<K>> }

export type MutableTables = { [K in RecordKind]: Map<string, RecordOf<K>> }

export const emptyTables = (): MutableTables =>
  Object.fromEntries(recordKinds().map((kind) => [kind, new Map()])) as MutableTables
