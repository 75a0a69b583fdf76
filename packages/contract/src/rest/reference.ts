import { endpoint, readsMonitoring } from '../endpoint.ts'

/** All calls in the form of OpenAPI 3.1: what this document is. */
export const getApiReference = endpoint({
  ...readsMonitoring,
  path: '/api/openapi.json',
  media: ['application/json'],
})
