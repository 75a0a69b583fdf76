import type { Alert } from '../entities/alert.ts'
import type { DockerCommand } from '../entities/docker.ts'
import type { ApiToken } from '../rest/tokens.ts'

/** What several examples show: one small installation, on an afternoon in September. */

export const connectionId = '5c0c34f1-7a52-4c2e-8f0b-6a0e3a7d9f11'
export const hostId = '8d4f5a1e9c7b4f2d'
/** the moment of the examples, in both forms */
export const now = '2026-09-21T14:13:20Z'
export const nowMs = 1_790_000_000_000

export const aToken: ApiToken = {
  id: '0b6f2f6e-3a0e-4c83-9d0f-2f1f7b1f6c55',
  name: 'Dashboard',
  prefix: '3f9a1c',
  suffix: 'b7d2',
  scopes: ['monitoring:read'],
  createdAt: '2026-09-01T08:00:00Z',
  lastUsedAt: now,
  source: 'user',
  madeBy: { id: 'user:7e0b1c7e', name: 'admin' },
}
export const aSecretToken = '3f9a1c5d8e2b4706a1c93f5e7d8b2046c1e3a5f7092b4d6e8f0a1c3e5d7fb7d2'

export const anAlert: Alert = {
  id: 'pve1-100-cpu',
  type: 'cpu',
  level: 'warning',
  resourceId: 'pve1-100',
  resourceName: 'web-01',
  node: 'pve1',
  instance: 'pve1',
  message: 'VM cpu at 87.4%',
  value: 87.4,
  threshold: 80,
  startTime: '2026-09-21T14:02:10Z',
  lastSeen: now,
  acknowledged: false,
}

export const aCommand: DockerCommand = {
  id: 'c2b7b5a0-5b4e-4a51-8a43-7c1f1f0f8a10',
  type: 'stop',
  status: 'queued',
  createdAt: nowMs,
  updatedAt: nowMs,
}

export const calls = {
  listCallsPerMinute: 14,
  probeCallsPerMinute: 6,
  slowCallsPerMinute: 3,
  deferredCalls: 0,
}
export const callBudget = {
  budget: { listCallsPerMinute: 24, probeCallsPerMinute: 40 },
  parts: [{ part: 'resources', callsPerMinute: 6, budgetPerMinute: 10 }],
}
