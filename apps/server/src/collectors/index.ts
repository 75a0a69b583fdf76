import type { SourceKind } from '@pulse/contract'
import { pbs } from './pbs/index.ts'
import { pmg } from './pmg/index.ts'
import { pve } from './pve/index.ts'
import type { Collector } from './source.ts'

export const collectors = { pve, pbs, pmg } satisfies Record<SourceKind, Collector>
