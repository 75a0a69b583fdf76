import * as z from 'zod/mini'
import { Alert, ResolvedAlert } from './entities/alert.ts'
import { PbsBackup, PmgBackup, PveBackup } from './entities/backup.ts'
import { DockerContainer, DockerHost } from './entities/docker.ts'
import { Guest } from './entities/guest.ts'
import { Meta } from './entities/meta.ts'
import { Node } from './entities/node.ts'
import { Datastore, PbsServer } from './entities/pbs.ts'
import { MailGateway } from './entities/pmg.ts'
import { SourceState } from './entities/source.ts'
import { CephCluster, PhysicalDisk, Storage } from './entities/storage.ts'

/** The live state: records by kind and identity, the same in memory, on the socket and in the browser. */
export const recordSchemas = {
  nodes: Node,
  guests: Guest,
  storage: Storage,
  cephClusters: CephCluster,
  physicalDisks: PhysicalDisk,
  pbs: PbsServer,
  datastores: Datastore,
  pmg: MailGateway,
  dockerHosts: DockerHost,
  dockerContainers: DockerContainer,
  pveBackups: PveBackup,
  pbsBackups: PbsBackup,
  pmgBackups: PmgBackup,
  activeAlerts: Alert,
  recentlyResolved: ResolvedAlert,
  sources: SourceState,
  meta: Meta,
}

export type RecordKind = keyof typeof recordSchemas
export type RecordOf<K extends RecordKind> = z.infer<(typeof recordSchemas)[K]>
export type AnyRecord = RecordOf<RecordKind>
export const recordKinds = Object.keys(recordSchemas) as RecordKind[]

/** What a subscriber of the compact protocol can ask for. */
export const Slice = z.enum(['live', 'backups'])
export type Slice = z.infer<typeof Slice>

const backupKinds: readonly RecordKind[] = ['pveBackups', 'pbsBackups', 'pmgBackups']
export const sliceOf = (kind: RecordKind): Slice => (backupKinds.includes(kind) ? 'backups' : 'live')
export const kindsOf = (slice: Slice): RecordKind[] => recordKinds.filter((kind) => sliceOf(kind) === slice)

/** The id of the single record of kind `meta`. */
export const META_ID = 'meta'
