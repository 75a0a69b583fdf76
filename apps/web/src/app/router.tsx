import { useState } from 'react'
import { isServerUp } from '../lib/is-server-up.ts'
import { createBrowserHistory, type PageHistory } from '../ui/router/history.ts'
import { Outlet } from '../ui/router/outlet.tsx'
import { createRouter, type Router } from '../ui/router/router.ts'
import { RouterContext } from '../ui/router/use-router.ts'
import { RouteTableContext } from './navigation.tsx'
import { type Page, pageAt, pages, resolvePath } from './routes.ts'
import { Initializing } from './screens.tsx'
import { Shell } from './shell.tsx'

export interface AppRouter extends Router {
  table: readonly Page[]
}

/** The route table as a router. Paths that no page answers are sent on before anything is drawn. */
export function createAppRouter(
  table: readonly Page[] = pages,
  history: PageHistory = createBrowserHistory(),
): AppRouter {
  const router = createRouter({
    history,
    pageAt: (path) => pageAt(path, table),
    resolve: (path) => resolvePath(path, table),
    answers: isServerUp,
  })
  return { ...router, table }
}

/** The frame, and in it the page that is open. */
export function Pages({ router }: { router: AppRouter }) {
  // with the first drawing, not after it: the page's code is there as a rule
  useState(router.begin)
  return (
    <RouterContext value={router}>
      <RouteTableContext value={router.table}>
        <Shell>
          <Outlet late={<Initializing />} />
        </Shell>
      </RouteTableContext>
    </RouterContext>
  )
}
