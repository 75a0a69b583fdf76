import { endpoint, readsMonitoring } from '../endpoint.ts'

/** In the text format of Prometheus. */
export const getMetrics = endpoint({
  ...readsMonitoring,
  path: '/metrics',
  byTokenInDemo: true,
  media: ['text/plain'],
})
