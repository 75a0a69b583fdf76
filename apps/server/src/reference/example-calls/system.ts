import type { UpdateHistoryEntry } from '@pulse/contract'
import type { Estate } from './given.ts'

export async function askForSettings({ call }: Estate) {
  await call('getSystemConfig')
  await call('getSystemSettings')
  await call('postSystemSettings')
  await call('putSystemConfig')
  await call('getSettings')
  await call('postSettings')
  await call('postSettingsValidate')
  await call('getConfig')
}

const passphrase = 'what nobody else guesses'

export async function askForTheWhole({ call }: Estate) {
  await call('getDiagnostics')
  await call('getDiagnosticsExport')
  await call('postConfigExport', { body: { passphrase } })
}

/** What was removed since comes back. */
export async function importTheWhole({ call, answers }: Estate) {
  const { data } = answers.get('postConfigExport')!.body as { data: string }
  await call('postConfigImportPreview', { body: { passphrase, data } })
  await call('postConfigImport', { body: { passphrase, data } })
}

export async function askForUpdates({ call }: Estate) {
  await call('getUpdateCheck')
  await call('getUpdatePlan')
  await call('getUpdateStatus')
  await call('postUpdateApply')
  const [entry] = (await call('getUpdateHistory', { query: { limit: '20' } })).body as UpdateHistoryEntry[]
  await call('getUpdateHistoryEntry', { query: { id: entry!.event_id } })
}
