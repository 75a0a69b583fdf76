import { getSystemSettings } from '@pulse/contract'
import { useAnswer } from '../../../api/use-answer.ts'
import { storeTheme, useChooseTheme, useDarkMode } from '../../../parts/screen/theme.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { BackupRestorePanel } from '../backup-restore-panel.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { BackupPollingPanel } from './backup-polling-panel.tsx'
import { DiscoveryScopePanel } from './discovery-scope-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { isLocked, type LoadedSettings, lockedHint, type SystemForm, useSystemForm } from './system-form.ts'
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
      <HistoryPanel form={form} />
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

export const useSystemSettings = () => useAnswer(getSystemSettings)

const originField = {
  autoComplete: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
  inputMode: 'url',
} as const

/** Access for pages of other sites: CORS and embedding. */
function OriginsPanel({ form }: { form: SystemForm }) {
  const { values, change, isLocked, notes } = form
  return (
    <Panel title="Access from other sites" description="Takes effect when saved, without a restart.">
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
        <TextField
          {...originField}
          label="Allowed origins (CORS)"
          placeholder="https://wall.example.com, https://ops.example.com"
          value={values.allowedOrigins}
          onChange={(allowedOrigins) => change({ allowedOrigins })}
          {...notes(
            'allowedOrigins',
            'Sites allowed to call the API, comma-separated. * allows any site, without cookies; empty allows none.',
          )}
        />
        <div className="flex flex-col gap-4">
          <Switch
            label="Allow embedding"
            hint={isLocked('allowEmbedding') ? lockedHint : 'Allow Pulse in frames on this site.'}
            checked={values.allowEmbedding}
            onChange={(allowEmbedding) => change({ allowEmbedding })}
            disabled={isLocked('allowEmbedding')}
          />
          {values.allowEmbedding && (
            <TextField
              {...originField}
              label="Allowed embed origins"
              placeholder="https://home.example.com"
              value={values.allowedEmbedOrigins}
              onChange={(allowedEmbedOrigins) => change({ allowedEmbedOrigins })}
              {...notes('allowedEmbedOrigins', 'Other sites allowed to embed Pulse, comma-separated.')}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}
