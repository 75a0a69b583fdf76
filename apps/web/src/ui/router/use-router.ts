import { createContext, useContext, useSyncExternalStore } from 'react'
import type { PageLocation } from './history.ts'
import type { Router, RouterView } from './router.ts'

export const RouterContext = createContext<Router | undefined>(undefined)

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('RouterContext is missing')
  return router
}

export function useRouterView<T>(select: (view: RouterView) => T): T {
  const router = useRouter()
  return useSyncExternalStore(router.subscribe, () => select(router.view()))
}

/** The path in the address bar; its page may still be loading. */
export const usePath = (): string => useRouterView(({ location }) => location.path)

/** The location of the visible page, which changes only when the next page replaces it. */
export const useShownLocation = (): PageLocation | undefined => useRouterView(({ shown }) => shown?.location)
