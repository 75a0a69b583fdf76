import type { RecordKind } from '@pulse/contract'
import type { Join } from '../state/claims.ts'
import { backupsOnce } from './backups-once.ts'
import { cephByFsid } from './ceph-by-fsid.ts'
import type { Derivation } from './derivation.ts'
import { nodeTemperature } from './node-temperature.ts'
import { protection } from './protection.ts'

/** What is joined across sources. What one reads of another stands behind it. */
export const derivations = (): readonly Derivation[] => [nodeTemperature(), backupsOnce(), protection()]

/** What all claims of one record are taken into. */
export const joins: Partial<Record<RecordKind, Join>> = { cephClusters: cephByFsid }
