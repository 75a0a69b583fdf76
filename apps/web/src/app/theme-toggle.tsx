import { Moon, Sun } from 'lucide-react'
import { storeTheme, useChooseTheme, useDarkMode } from '../parts/screen/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** Before anybody has signed in the choice stays in this browser. */
export const LocalThemeToggle = () => <Toggle onChoose={storeTheme} />

export const ThemeToggle = () => <Toggle onChoose={useChooseTheme()} />

function Toggle({ onChoose }: { onChoose: (dark: boolean) => void }) {
  const dark = useDarkMode()
  const label = dark ? 'Switch to light mode' : 'Switch to dark mode'
  return (
    <Tooltip content={label}>
      <IconButton label={label} onClick={() => onChoose(!dark)}>
        {dark ? <Sun aria-hidden size={16} /> : <Moon aria-hidden size={16} />}
      </IconButton>
    </Tooltip>
  )
}
