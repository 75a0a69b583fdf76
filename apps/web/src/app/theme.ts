import { getSystemConfig, type SystemSettingsView } from '@pulse/contract'
import { useEffect, useLayoutEffect } from 'react'
import { useApi } from '../api/api.tsx'
import { log } from '../lib/log.ts'
import { readPreference } from '../lib/storage.ts'
import { storeTheme, useDarkMode } from '../parts/theme.ts'

/** Keeps the page's class in step; the first paint was set by theme.js. */
export function useAppliedTheme(): void {
  const dark = useDarkMode()
  useLayoutEffect(() => void document.documentElement.classList.toggle('dark', dark), [dark])
}

/** Takes the server's theme while this browser has none of its own. */
export function useServerTheme(): void {
  const api = useApi()
  useEffect(() => {
    if (readPreference('darkMode') !== undefined) return
    const gone = new AbortController()
    const take = ({ theme }: SystemSettingsView) => {
      // whoever has chosen meanwhile keeps the choice
      if (theme && readPreference('darkMode') === undefined) storeTheme(theme === 'dark')
    }
    api.call(getSystemConfig, { signal: gone.signal }).then(take, (error: unknown) => {
      if (!gone.signal.aborted) log.warn('The theme could not be loaded', error)
    })
    return () => gone.abort()
  }, [api])
}
