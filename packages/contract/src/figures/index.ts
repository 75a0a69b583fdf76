import type { RecordKind } from '../kinds.ts'
import { datastoreFigures, pbsFigures, protectionFigures, replicationFigures } from './backups.ts'
import { dockerContainerFigures, dockerHostFigures } from './containers.ts'
import type { FiguresOf } from './figure.ts'
import { fileSystemFigures, fileSystemUsage, guestFigures, nodeFigures } from './machines.ts'
import { pmgFigures } from './mail.ts'
import { metaFigures } from './self.ts'
import { cephFigures, physicalDiskFigures, storageFigures } from './storage.ts'

export { type Figure, type FiguresOf, freshValue, inSeconds, thresholdValue } from './figure.ts'

export { fileSystemUsage, guestFigures }

/** The catalogue of figures, by record kind. It excludes figures with labels of their own, such as queues. */
export const figures = {
  nodes: nodeFigures,
  guests: guestFigures,
  fileSystems: fileSystemFigures,
  storage: storageFigures,
  cephClusters: cephFigures,
  physicalDisks: physicalDiskFigures,
  pbs: pbsFigures,
  datastores: datastoreFigures,
  protections: protectionFigures,
  pmg: pmgFigures,
  replicationJobs: replicationFigures,
  dockerHosts: dockerHostFigures,
  dockerContainers: dockerContainerFigures,
  meta: metaFigures,
} as const satisfies { [K in RecordKind]?: FiguresOf<K> }
