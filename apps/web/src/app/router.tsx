import { useState } from 'react'
import { isServerUp } from '../lib/is-server-up.ts'
import { carryMoment, momentIn } from '../parts/time-machine/address.ts'
import { createBrowserHistory, type PageHistory } from '../ui/router/history.ts'
import { Outlet } from '../ui/router/outlet.tsx'
import { createRouter, type Router } from '../ui/router/router.ts'
import { RouterContext } from '../ui/router/use-router.ts'
import { RouteTableContext } from './navigation.tsx'
import { hasPast, type Page, pageAt, pages, resolvePath } from './routes.ts'
import { Initializing } from './screens.tsx'
import { Shell } from './shell.tsx'

export interface AppRouter extends Router {
  table: readonly Page[]
}

/** Creates the router from the page table. Unknown paths are redirected before the first render. */
export function createAppRouter(
  table: readonly Page[] = pages,
  history: PageHistory = createBrowserHistory(),
): AppRouter {
  const router = createRouter({
    history,
    pageAt: (path) => pageAt(path, table),
    resolve: (path) => resolvePath(path, table),
    isServerUp,
    // of each link: most pages show now
    carry: (href, from) =>
      momentIn(from.search) !== undefined && hasPast(from.path, table) && hasPast(pathOf(href), table)
        ? carryMoment(href, from.search)
        : href,
  })
  return { ...router, table }
}

const pathOf = (href: string) => /^[^?#]*/.exec(href)![0]

/** The shell with the open page. */
export function Pages({ router }: { router: AppRouter }) {
  // during the first render, because the page's code is usually loaded by then
  useState(router.start)
  return (
    <RouterContext value={router}>
      <RouteTableContext value={router.table}>
        <Shell>
          <Outlet fallback={<Initializing />} />
        </Shell>
      </RouteTableContext>
    </RouterContext>
  )
}
