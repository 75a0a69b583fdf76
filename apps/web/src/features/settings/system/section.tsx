import { getSystemSettings } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { storeTheme, useChooseTheme, useDarkMode } from '../../../parts/screen/theme.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { BackupRestorePanel } from '../backup-restore-panel.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { BackupPollingPanel } from './backup-polling-panel.tsx'
import { DiscoveryScopePanel } from './discovery-scope-panel.tsx'
import { OriginsPanel } from './origins-panel.tsx'
import { isLocked, type LoadedSettings, useSystemForm } from './system-form.ts'
import { UpdatePanel } from './update-panel.tsx'

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

const followText = 'Applies to open browsers and those without their own setting.'
const lockedText = 'For this browser only: the default theme is set by the environment or pulse.yaml.'

function AppearancePanel({ settings }: { settings: LoadedSettings }) {
  const dark = useDarkMode()
  const choose = useChooseTheme()
  const locked = isLocked(settings, 'theme')
  return (
    <Panel title="Appearance">
      <Switch
        label="Dark mode"
        hint={locked ? lockedText : followText}
        checked={dark}
        onChange={locked ? storeTheme : choose}
      />
    </Panel>
  )
}

export function useSystemSettings() {
  const api = useApi()
  return useQuery({
    queryKey: [getSystemSettings.path],
    queryFn: ({ signal }) => api.call(getSystemSettings, { signal }),
  })
}
