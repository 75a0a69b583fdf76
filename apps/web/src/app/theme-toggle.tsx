import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useDarkMode, useToggleTheme } from './theme.ts'

export function ThemeToggle() {
  const dark = useDarkMode()
  const toggle = useToggleTheme()
  const label = dark ? 'Switch to light mode' : 'Switch to dark mode'
  return (
    <Tooltip content={label}>
      <IconButton label={label} onClick={toggle}>
        {dark ? <Sun aria-hidden size={16} /> : <Moon aria-hidden size={16} />}
      </IconButton>
    </Tooltip>
  )
}
