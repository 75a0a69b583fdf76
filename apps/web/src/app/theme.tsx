import { getSystemConfig, type SystemSettingsView, type Theme } from '@pulse/contract'
import { useEffect, useLayoutEffect } from 'react'
import { useApi } from '../api/api.tsx'
import { log } from '../lib/log.ts'
import { readPreference, writePreference } from '../lib/storage.ts'
import { storeTheme, useDarkMode, useChooseTheme } from '../parts/screen/theme.ts'
import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** Keeps the page's class in step; the first paint was set by first.js. */
export function useAppliedTheme(): void {
  const dark = useDarkMode()
  useLayoutEffect(() => void document.documentElement.classList.toggle('dark', dark), [dark])
}

/** Takes the server's theme at every start while nobody has chosen one in this browser. */
export function useServerTheme(): void {
  const api = useApi()
  useEffect(() => {
    if (readPreference('darkMode') !== undefined) return
    const gone = new AbortController()
    const take = ({ theme }: SystemSettingsView) => writePreference('followedTheme', theme || undefined)
    api.call(getSystemConfig, { signal: gone.signal }).then(take, (error: unknown) => {
      if (!gone.signal.aborted) log.warn('The theme could not be loaded', error)
    })
    return () => gone.abort()
  }, [api])
}

/** A theme that was set in another browser applies here too; following goes on, a choice stays a choice. */
export function takeTheme(theme: Theme): void {
  if (readPreference('darkMode') === undefined) writePreference('followedTheme', theme || undefined)
  else if (theme) storeTheme(theme === 'dark')
}

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
