import type * as diagnostics from '../rest/diagnostics.ts'
import type * as metrics from '../rest/metrics.ts'
import type * as reference from '../rest/reference.ts'
import type * as settings from '../rest/settings.ts'
import type * as transfer from '../rest/transfer.ts'
import type * as updates from '../rest/updates.ts'
import type { Reference } from './about.ts'

const fixed = ['locked_by_environment'] as const
const saving = { body: { logLevel: 'debug' }, errors: fixed } as const

export const systemSettings = {
  getSystemConfig: { summary: 'Get the settings that pages need' },
  getSystemSettings: { summary: 'Read the system settings' },
  postSystemSettings: { summary: 'Change system settings', ...saving },
  putSystemConfig: { summary: 'Change system settings, as older clients do', ...saving },
  getSettings: { summary: 'Get the system settings and their defaults' },
  postSettings: { summary: 'Change system settings, as the older page does', ...saving },
  postSettingsValidate: {
    summary: 'Check system settings without saving them',
    body: { connectionTimeout: 0 },
  },
  getConfig: { summary: 'Read three settings, as older clients do' },
} satisfies Reference<typeof settings>

export const versions = {
  getUpdateCheck: { summary: 'Check for a newer release', query: { channel: 'stable' } },
  getUpdatePlan: {
    summary: 'Get the update plan of this installation',
    query: { version: '1.3.0' },
  },
  getUpdateStatus: { summary: 'Get the progress of the update' },
  postUpdateApply: {
    summary: 'Install the offered release',
    body: { version: '1.3.0' },
    errors: ['conflict'],
  },
  getUpdateHistory: {
    summary: 'List the updates',
    query: { limit: 20, status: 'success' },
  },
  getUpdateHistoryEntry: {
    summary: 'Read one update',
    query: { id: '0c6d2d83-7d0b-4c0a-9d0c-5f7f2b1a9e44' },
    errors: ['not_found'],
  },
} satisfies Reference<typeof updates>

const file = { passphrase: 'a long passphrase', data: 'UFVMU0UBAAAA' }
const foreign = ['wrong_passphrase', 'invalid_import'] as const

export const backup = {
  postConfigExport: {
    summary: 'Export the configuration',
    body: { passphrase: file.passphrase },
    errors: ['invalid_password', 'passphrase_too_short'],
  },
  postConfigImportPreview: {
    summary: 'Preview the changes of an import',
    body: file,
    errors: foreign,
  },
  postConfigImport: {
    summary: 'Import a configuration',
    body: file,
    errors: foreign,
  },
} satisfies Reference<typeof transfer>

export const self = {
  getDiagnostics: { summary: 'Run the diagnostics' },
  getDiagnosticsExport: {
    summary: 'Export the diagnostics for support',
    query: { mode: 'sanitized' },
  },
} satisfies Reference<typeof diagnostics>

export const document = {
  getApiReference: { summary: 'Get this document' },
} satisfies Reference<typeof reference>

export const programs = {
  getMetrics: { summary: 'Get metrics for Prometheus' },
} satisfies Reference<typeof metrics>
