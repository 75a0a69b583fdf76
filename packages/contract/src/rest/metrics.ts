import { endpoint, readsMonitoring } from '../endpoint.ts'

/** Prometheus text format. */
export const getMetrics = endpoint({
  ...readsMonitoring,
  path: '/metrics',
  byTokenInDemo: true,
  media: ['text/plain'],
})
