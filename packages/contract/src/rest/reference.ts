import { endpoint, readsMonitoring } from '../endpoint.ts'

/** All calls, as OpenAPI 3.1. */
export const getApiReference = endpoint({
  ...readsMonitoring,
  path: '/api/openapi.json',
  media: ['application/json'],
})
