import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react'
import { usePreference, writePreference } from '../lib/storage.ts'

const darkQuery = '(prefers-color-scheme: dark)'

function subscribeSystem(listener: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The stored theme; the system's while none is stored. */
export function useDarkMode(): boolean {
  const [stored] = usePreference('darkMode')
  const system = useSyncExternalStore(subscribeSystem, () => matchMedia(darkQuery).matches)
  return stored === undefined ? system : stored === 'true'
}

export const storeTheme = (dark: boolean): void => writePreference('darkMode', dark ? 'true' : 'false')

export function useToggleTheme(): () => void {
  const dark = useDarkMode()
  return useCallback(() => storeTheme(!dark), [dark])
}

/** Keeps the page's class in step; the first paint was set by theme.js. */
export function useAppliedTheme(): void {
  const dark = useDarkMode()
  useLayoutEffect(() => void document.documentElement.classList.toggle('dark', dark), [dark])
}
