import type { Scope } from '../roles.ts'

/** The values that several examples share: a small installation on an afternoon in September. */

export const connectionId = '5c0c34f1-7a52-4c2e-8f0b-6a0e3a7d9f11'
export const hostId = '8d4f5a1e9c7b4f2d'
export const commandId = 'c2b7b5a0-5b4e-4a51-8a43-7c1f1f0f8a10'
/** current time in the examples */
export const now = '2026-09-21T14:13:20Z'

export const aToken: { id: string; name: string; scopes: Scope[] } = {
  id: '0b6f2f6e-3a0e-4c83-9d0f-2f1f7b1f6c55',
  name: 'Dashboard',
  scopes: ['monitoring:read'],
}
export const aSecretToken = '3f9a1c5d8e2b4706a1c93f5e7d8b2046c1e3a5f7092b4d6e8f0a1c3e5d7fb7d2'

export const anAlert = { id: 'pve1-100-cpu', startTime: '2026-09-21T14:02:10Z' }
