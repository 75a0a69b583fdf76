import type { SourceKind } from '@pulse/contract'
import { pve } from './pve/index.ts'
import type { Collector } from './source.ts'

export const collectors = { pve } satisfies Partial<Record<SourceKind, Collector>>
