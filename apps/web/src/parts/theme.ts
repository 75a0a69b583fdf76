import { postSystemSettings } from '@pulse/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { useApi } from '../api/api.tsx'
import { useSession } from '../api/session.tsx'
import { log } from '../lib/log.ts'
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

/** Here at once, and on the server for the browsers that follow it: an administrator's choice is everybody's. */
export function useChooseTheme(): (dark: boolean) => void {
  const api = useApi()
  const { isAdmin } = useSession()
  return useCallback(
    (dark: boolean) => {
      storeTheme(dark)
      if (!isAdmin) return
      api
        .call(postSystemSettings, { body: { theme: dark ? 'dark' : 'light' } })
        .catch((error: unknown) => log.warn('The theme could not be saved', error))
    },
    [api, isAdmin],
  )
}
