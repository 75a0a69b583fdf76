import type { UpdateHistoryEntry, UpdateInfo, UpdatePlan } from '@pulse/contract'

export const anUpdate = (over: Partial<UpdateInfo> = {}): UpdateInfo => ({
  available: true,
  currentVersion: '5.1.0',
  latestVersion: '5.2.0',
  releaseNotes: '',
  releaseDate: '',
  downloadUrl: 'https://releases.example/pulse-v5.2.0-linux-amd64.tar.gz',
  isPrerelease: false,
  channel: 'stable',
  ...over,
})

export const aPlan = (over: Partial<UpdatePlan> = {}): UpdatePlan => ({
  canAutoUpdate: true,
  requiresRoot: true,
  rollbackSupport: true,
  ...over,
})

export const anEntry = (over: Partial<UpdateHistoryEntry> = {}): UpdateHistoryEntry => ({
  event_id: 'e1',
  timestamp: '2026-11-20T03:00:00Z',
  action: 'update',
  channel: 'stable',
  version_from: '5.1.0',
  version_to: '5.2.0',
  deployment_type: 'systemd',
  initiated_by: 'user',
  initiated_via: 'ui',
  status: 'success',
  duration_ms: 75_000,
  ...over,
})
