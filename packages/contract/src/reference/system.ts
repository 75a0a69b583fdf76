import { alertDefaults } from '../alert-defaults.ts'
import type * as diagnostics from '../rest/diagnostics.ts'
import type * as metrics from '../rest/metrics.ts'
import type * as reference from '../rest/reference.ts'
import type * as settings from '../rest/settings.ts'
import type * as transfer from '../rest/transfer.ts'
import type * as updates from '../rest/updates.ts'
import { systemDefaults } from '../settings.ts'
import type { Reference } from './about.ts'
import { connectionId, now } from './samples.ts'

const fixed = ['locked_by_environment'] as const
const saving = { body: { logLevel: 'debug' }, reply: { success: true }, errors: fixed } as const

export const systemSettings = {
  getSystemConfig: { summary: 'Read the settings that pages need', reply: systemDefaults },
  getSystemSettings: {
    summary: 'Read the system settings',
    reply: { ...systemDefaults, envOverrides: { logLevel: true, LOG_LEVEL: true } },
  },
  postSystemSettings: { summary: 'Change system settings', ...saving },
  putSystemConfig: { summary: 'Change system settings, as older clients do', ...saving },
  getSettings: {
    summary: 'Read the system settings and what they are by default',
    reply: {
      current: systemDefaults,
      defaults: systemDefaults,
      capabilities: { requiresRestart: false, canRestart: false, canValidate: true },
    },
  },
  postSettings: { summary: 'Change system settings, as the older page does', ...saving },
  postSettingsValidate: {
    summary: 'Check system settings without saving them',
    body: { connectionTimeout: 0 },
    reply: { valid: false, errors: [{ field: 'connectionTimeout', message: 'Use 1 to 300.' }] },
  },
  getConfig: {
    summary: 'Read three settings, as older clients do',
    reply: { csrfProtection: true, autoUpdateEnabled: false, updateChannel: 'stable' },
  },
} satisfies Reference<typeof settings>

const info = {
  available: true,
  currentVersion: '1.2.3',
  latestVersion: '1.3.0',
  releaseNotes: '## What is new\n…',
  releaseDate: '2026-09-20T10:00:00Z',
  downloadUrl: 'https://releases.example.com/v1.3.0/pulse-v1.3.0-linux-amd64.tar.gz',
  isPrerelease: false,
  channel: 'stable',
  checkedAt: now,
} as const
const entry = {
  event_id: '0c6d2d83-7d0b-4c0a-9d0c-5f7f2b1a9e44',
  timestamp: now,
  action: 'update',
  channel: 'stable',
  version_from: '1.2.3',
  version_to: '1.3.0',
  deployment_type: 'systemd',
  initiated_by: 'user',
  initiated_via: 'ui',
  status: 'success',
  duration_ms: 41_000,
} as const

export const versions = {
  getUpdateCheck: { summary: 'Ask for a newer release', query: { channel: 'stable' }, reply: info },
  getUpdatePlan: {
    summary: 'Tell how this installation is updated',
    query: { version: '1.3.0' },
    reply: { canAutoUpdate: true, requiresRoot: false, rollbackSupport: true, estimatedTime: '1-2 minutes' },
  },
  getUpdateStatus: {
    summary: 'Tell how far the update has come',
    reply: { status: 'downloading', progress: 30, message: 'Downloading 1.3.0', updatedAt: now },
  },
  postUpdateApply: {
    summary: 'Install the release that is offered',
    body: { version: '1.3.0' },
    reply: { status: 'started', message: 'The update has begun.' },
    errors: ['conflict'],
  },
  getUpdateHistory: {
    summary: 'List the updates',
    query: { limit: 20, status: 'success' },
    reply: [entry],
  },
  getUpdateHistoryEntry: {
    summary: 'Read one update',
    query: { id: entry.event_id },
    reply: entry,
    errors: ['not_found'],
  },
} satisfies Reference<typeof updates>

const file = { passphrase: 'what nobody else guesses', data: 'UFVMU0UBAAAA' }
const foreign = ['wrong_passphrase', 'invalid_import'] as const

export const backup = {
  postConfigExport: {
    summary: 'Export the configuration',
    body: { passphrase: file.passphrase },
    reply: { status: 'success', data: file.data },
    errors: ['invalid_password', 'passphrase_too_short'],
  },
  postConfigImportPreview: {
    summary: 'Tell what an import would change',
    body: file,
    reply: {
      status: 'success',
      summary: '1 node, 1 account',
      nodes: [{ name: 'pve1', type: 'pve', host: 'https://pve1.example.com:8006', change: 'added' }],
      accounts: [{ name: 'admin', role: 'admin' }],
      tokens: [],
      providers: [],
      destinations: [
        { kind: 'webhook', name: 'Operations', goesTo: 'https://hooks.example.com/services/********' },
      ],
      allowedHosts: [],
      switchesAlertsOff: false,
      notes: [],
    },
    errors: foreign,
  },
  postConfigImport: {
    summary: 'Import a configuration',
    body: file,
    reply: { status: 'success', message: '1 node and 1 account were imported.', notes: [] },
    errors: foreign,
  },
} satisfies Reference<typeof transfer>

export const self = {
  getDiagnostics: {
    summary: 'Look at everything once',
    reply: {
      version: '1.2.3',
      runtime: 'node 26.10.0',
      uptime: 116_000,
      errors: [],
      nodes: [
        {
          id: connectionId,
          name: 'pve1',
          host: 'https://pve1.example.com:8006',
          type: 'pve',
          connected: true,
          lastPoll: now,
          authMethod: 'api_token',
          details: { node_count: 3, version: '9.1.4' },
        },
      ],
      pbs: [],
      system: {
        os: 'linux',
        arch: 'x64',
        goVersion: 'node 26.10.0',
        numCPU: 4,
        numGoroutine: 12,
        memoryMB: 92,
      },
      temperatureProxy: {
        legacySSHDetected: false,
        recommendProxyUpgrade: false,
        socketFound: false,
        proxyReachable: false,
        legacySshKeyCount: 0,
        notes: [],
      },
      temperatures: [],
      apiTokens: {
        enabled: true,
        tokenCount: 1,
        hasEnvTokens: false,
        hasLegacyToken: false,
        recommendTokenSetup: false,
        recommendTokenRotation: false,
        legacyDockerHostCount: 0,
        unusedTokenCount: 0,
        notes: [],
        tokens: [],
        usage: [],
      },
      alerts: {
        enabled: alertDefaults.enabled,
        activationState: 'active',
        active: 1,
        acknowledged: 0,
        historyEntries: 120,
        legacyThresholdsDetected: false,
        legacyThresholdSources: [],
        legacyScheduleSettings: [],
        missingCooldown: false,
        missingGroupingWindow: false,
      },
      memorySources: [],
      nodeSnapshots: [],
      guestSnapshots: [],
      notes: [],
    },
  },
  getDiagnosticsExport: {
    summary: 'Export what is known, for somebody who is to help',
    query: { mode: 'sanitized' },
  },
} satisfies Reference<typeof diagnostics>

export const document = {
  getApiReference: { summary: 'Get this document' },
} satisfies Reference<typeof reference>

export const programs = {
  getMetrics: { summary: 'Read figures, as Prometheus does' },
} satisfies Reference<typeof metrics>
