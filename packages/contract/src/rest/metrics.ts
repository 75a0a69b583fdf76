import { endpoint } from '../endpoint.ts'

/** In the text format of Prometheus. */
export const getMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  access: 'user',
  scope: 'monitoring:read',
  rate: 'read',
  byTokenInDemo: true,
  media: ['text/plain'],
})
