import { getSystemConfig, type Theme } from '@pulse/contract'
import { useEffect, useLayoutEffect } from 'react'
import { useApi } from '../api/api.tsx'
import { load } from '../api/load.ts'
import { readPreference, writePreference } from '../lib/storage.ts'
import { storeTheme, useDarkMode, useChooseTheme } from '../parts/screen/theme.ts'
import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** Updates the page's class; first.js set it for the first paint. */
export function useAppliedTheme(): void {
  const dark = useDarkMode()
  useLayoutEffect(() => void document.documentElement.classList.toggle('dark', dark), [dark])
}

/** Applies the server's theme at every start until the user chooses one in this browser. */
export function useServerTheme(): void {
  const api = useApi()
  useEffect(() => {
    if (readPreference('darkMode') !== undefined) return
    return load(
      (signal) => api.call(getSystemConfig, { signal }),
      ({ theme }) => writePreference('followedTheme', theme || undefined),
      'The theme could not be loaded',
    )
  }, [api])
}

/**
 * Applies a theme that was set in another browser. A browser without its own choice keeps following the
 * server.
 */
export function takeTheme(theme: Theme): void {
  if (readPreference('darkMode') === undefined) writePreference('followedTheme', theme || undefined)
  else if (theme) storeTheme(theme === 'dark')
}

/** Before sign-in the choice is stored in this browser only. */
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
