import type { Tables } from '@pulse/domain'
import type { Metric } from '../metric.ts'

const levels = ['warning', 'critical'] as const

/** Counts that are exported also without the metrics of the estate. */
export const countMetrics = ({ activeAlerts, dockerHosts }: Tables): readonly Metric[] => [
  {
    name: 'pulse_alerts',
    type: 'gauge',
    help: 'Active alerts by level and acknowledgement; absent while alerts are not activated.',
    labels: ['level', 'acknowledged'],
    samples() {
      const alerts = [...activeAlerts.values()]
      return levels.flatMap((level) => {
        const own = alerts.filter((alert) => (alert.level === 'critical') === (level === 'critical'))
        const acknowledged = own.filter((alert) => alert.acknowledged).length
        return [[own.length - acknowledged, level, 'false'] as const, [acknowledged, level, 'true'] as const]
      })
    },
  },
  {
    name: 'pulse_agents',
    type: 'gauge',
    help: 'Agents of container hosts by status.',
    labels: ['status'],
    samples() {
      const hosts = [...dockerHosts.values()]
      return (['online', 'offline'] as const).map(
        (status) => [hosts.filter((host) => host.status === status).length, status] as const,
      )
    },
  },
]
