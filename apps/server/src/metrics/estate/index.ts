import type { KindMetric } from '../of-kind.ts'
import { backupMetrics } from './backups.ts'
import { containerMetrics } from './containers.ts'
import { guestMetrics } from './guests.ts'
import { mailMetrics } from './mail.ts'
import { nodeMetrics } from './nodes.ts'
import { storageMetrics } from './storage.ts'

/** Metrics of all monitored resources. */
export const estateMetrics: readonly KindMetric[] = [
  ...nodeMetrics,
  ...guestMetrics,
  ...storageMetrics,
  ...backupMetrics,
  ...mailMetrics,
  ...containerMetrics,
]
