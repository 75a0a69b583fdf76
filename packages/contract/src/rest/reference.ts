import { endpoint } from '../endpoint.ts'

/** All calls in the form of OpenAPI 3.1: what this document is. */
export const getApiReference = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'user',
  scope: 'monitoring:read',
  rate: 'read',
  media: ['application/json'],
})
