import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { BackupRestorePanel } from '../backup-restore-panel.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { AppearancePanel } from './appearance-panel.tsx'
import { BackupPollingPanel } from './backup-polling-panel.tsx'
import { DiscoveryScopePanel } from './discovery-scope-panel.tsx'
import { OriginsPanel } from './origins-panel.tsx'
import { type LoadedSettings, useSystemForm } from './system-form.ts'
import { UpdatePanel } from './update-panel.tsx'
import { useSystemSettings } from './use-system-settings.ts'

export default function SystemSection() {
  return (
    <AdminOnly to="to see and change system settings">
      <Settings />
    </AdminOnly>
  )
}

function Settings() {
  const settings = useSystemSettings()
  return (
    <div className="flex max-w-[720px] flex-col gap-4">
      {settings.data && <Panels settings={settings.data} />}
      {!settings.data && (
        <Panel title="Settings" flush>
          {settings.error ? (
            <LoadFailed
              title="Failed to load settings"
              reason={reasonOf(settings.error)}
              onRetry={() => void settings.refetch()}
            />
          ) : (
            <LoadingRows label="Loading settings" count={6} />
          )}
        </Panel>
      )}
      <BackupRestorePanel />
    </div>
  )
}

function Panels({ settings }: { settings: LoadedSettings }) {
  const form = useSystemForm(settings)
  return (
    <>
      <DiscoveryScopePanel settings={settings} />
      <AppearancePanel settings={settings} />
      <OriginsPanel form={form} />
      <UpdatePanel form={form} />
      <BackupPollingPanel form={form} />
    </>
  )
}
