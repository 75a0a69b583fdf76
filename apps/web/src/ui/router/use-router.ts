import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Place } from './history.ts'
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

/** The path that is open, or that somebody is on the way to. */
export const usePath = (): string => useRouterView(({ place }) => place.path)

/** Where the page that is drawn stands: on its way out it is still its own address. */
export const useShownPlace = (): Place | undefined => useRouterView(({ shown }) => shown?.place)
