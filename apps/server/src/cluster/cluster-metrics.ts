import { gauge, type Metric } from '../metric.ts'

interface Figures {
  leads: () => boolean
  sources: () => number
  /** messages of others that were not taken yet */
  waiting: () => number
  /** the line to NATS */
  isUp: () => boolean
}

export const clusterMetrics = ({ leads, sources, waiting, isUp }: Figures): Metric[] => [
  gauge('pulse_cluster_leads', 'Whether this process leads; of all processes, one does.', () =>
    Number(leads()),
  ),
  gauge('pulse_cluster_sources', 'Sources that this process collects.', sources),
  gauge(
    'pulse_cluster_messages_waiting',
    'Messages of other processes about the estate that this process has not taken yet.',
    waiting,
  ),
  gauge('pulse_cluster_nats_up', 'Whether the connection to NATS is up.', () => Number(isUp())),
]
