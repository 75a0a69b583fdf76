import { storeTheme, useChooseTheme, useDarkMode } from '../../../parts/screen/theme.ts'
import { Switch } from '../../../ui/switch.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { isLocked, type LoadedSettings } from './system-form.ts'

const followText = 'Browsers that are open, or that have no choice of their own yet, follow it.'
const lockedText = 'For this browser only: the theme of all others is set by the environment or pulse.yaml.'

export function AppearancePanel({ settings }: { settings: LoadedSettings }) {
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
