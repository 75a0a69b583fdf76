import type { UpdateHistoryEntry } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import type { Estate } from './fixtures.ts'

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

const passphrase = 'a long passphrase'

export async function askForTheWhole({ call, inRealTime }: Estate) {
  await inRealTime(() => call('getDiagnostics'))
  await call('getDiagnosticsExport')
  await call('postConfigExport', { body: { passphrase } })
}

/** Restores removed objects. */
export async function importTheWhole({ call, answers }: Estate) {
  const { data } = answers.get('postConfigExport')!.body as { data: string }
  await call('postConfigImportPreview', { body: { passphrase, data } })
  await call('postConfigImport', { body: { passphrase, data } })
}

export async function askForUpdates(estate: Estate) {
  const { call, server } = estate
  await call('getUpdateCheck')
  await call('getUpdatePlan')
  await call('getUpdateStatus')
  await call('postUpdateApply')
  const newest = async () => {
    const { body } = await server.as(estate.session)('GET', '/api/updates/history')
    return (body as UpdateHistoryEntry[])[0]!
  }
  const until = (met: (entry: UpdateHistoryEntry) => boolean) =>
    vi.waitFor(async () => expect(met(await newest())).toBe(true), { timeout: within(60_000) })
  await until(({ download_bytes }) => download_bytes !== undefined)
  const { event_id: id } = await newest()
  theSwitchSays(server.leadDataDir, id)
  await until(({ status }) => status === 'success')
  await call('getUpdateHistory')
  await call('getUpdateHistoryEntry', { query: { id } })
}

/** Writes the progress of the program that switches releases, which runs as root and is not called here. */
function theSwitchSays(dataDir: string, id: string) {
  const updatedAt = new Date().toISOString()
  const said = { status: 'completed', progress: 100, message: '1.3.0 runs', outcome: 'success' }
  const backup = path.join(dataDir, 'backup')
  const text = JSON.stringify({ id, updatedAt, ...said, backup })
  fs.writeFileSync(path.join(dataDir, 'update/progress.json'), text)
  fs.rmSync(path.join(dataDir, 'update/request.json'), { force: true })
}
