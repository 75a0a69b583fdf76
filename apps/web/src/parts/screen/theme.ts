import { postSystemSettings, putPreferences } from '@pulse/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { useApi } from '../../api/api.tsx'
import { useSession } from '../../api/session.tsx'
import { log } from '../../lib/log.ts'
import { usePreference, writePreference } from '../../lib/storage.ts'

const darkQuery = '(prefers-color-scheme: dark)'

function subscribeSystem(listener: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The theme chosen in this browser, else the server's, else the system's. */
export function useDarkMode(): boolean {
  const [chosen] = usePreference('darkMode')
  const [followed] = usePreference('followedTheme')
  const system = useSyncExternalStore(subscribeSystem, () => matchMedia(darkQuery).matches)
  if (chosen !== undefined) return chosen === 'true'
  return followed === undefined ? system : followed === 'dark'
}

export const storeTheme = (dark: boolean): void => writePreference('darkMode', dark ? 'true' : 'false')

/**
 * Applies at once and is stored on the server: for all users if an administrator chooses, else for the
 * account.
 */
export function useChooseTheme(): (dark: boolean) => void {
  const api = useApi()
  const { isAdmin, user, status } = useSession()
  const mayRemember = user !== undefined && status.demo !== true
  return useCallback(
    (dark: boolean) => {
      storeTheme(dark)
      if (!isAdmin && !mayRemember) return
      const body = { theme: dark ? 'dark' : 'light' } as const
      const saved = isAdmin ? api.call(postSystemSettings, { body }) : api.call(putPreferences, { body })
      saved.catch((error: unknown) => log.warn('The theme could not be saved', error))
    },
    [api, isAdmin, mayRemember],
  )
}
