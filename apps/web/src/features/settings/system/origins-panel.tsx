import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { lockedHint, type SystemForm } from './system-form.ts'

const originField = {
  autoComplete: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
  inputMode: 'url',
} as const

/** What pages of other sites may do with this server. */
export function OriginsPanel({ form }: { form: SystemForm }) {
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
