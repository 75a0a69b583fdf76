import * as z from 'zod/mini'
import { Alert, ResolvedAlert } from './entities/alert.ts'
import { PbsBackup, PmgBackup, PveBackup } from './entities/backup.ts'
import { DockerContainer, DockerHost } from './entities/docker.ts'
import { FileSystem } from './entities/file-system.ts'
import { ForecastRecord } from './entities/forecast.ts'
import { Guest } from './entities/guest.ts'
import { Meta } from './entities/meta.ts'
import { Node, NodeSensors } from './entities/node.ts'
import { Datastore, PbsServer } from './entities/pbs.ts'
import { MailGateway } from './entities/pmg.ts'
import { Protection } from './entities/protection.ts'
import { ReplicationJob } from './entities/replication.ts'
import { SourceState } from './entities/source.ts'
import { CephCluster, PhysicalDisk, Storage } from './entities/storage.ts'
import type { RecordKind } from './kinds.ts'

/** The live state: records by kind and identity. Memory, socket and browser use the same form. */
export const recordSchemas = {
  nodes: Node,
  nodeSensors: NodeSensors,
  guests: Guest,
  fileSystems: FileSystem,
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
  protections: Protection,
  replicationJobs: ReplicationJob,
  forecasts: ForecastRecord,
  activeAlerts: Alert,
  recentlyResolved: ResolvedAlert,
  sources: SourceState,
  meta: Meta,
} satisfies Record<RecordKind, z.ZodMiniType>

export type RecordOf<K extends RecordKind> = z.infer<(typeof recordSchemas)[K]>
export type AnyRecord = RecordOf<RecordKind>
