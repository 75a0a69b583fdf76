import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { ErrorPage } from '../ui/error-screens.tsx'
import { RouteTableContext } from './route-table.ts'
import { type Page, pageAt, pages, resolvePath } from './routes.ts'
import { Initializing } from './screens.tsx'
import { Shell } from './shell.tsx'

/** The route table as a router. Paths that no page answers are sent on before anything is drawn. */
export function createAppRouter(
  table: readonly Page[] = pages,
  history: RouterHistory = createBrowserHistory(),
) {
  const root = createRootRoute({
    component: () => (
      <RouteTableContext value={table}>
        <Shell>
          <Outlet />
        </Shell>
      </RouteTableContext>
    ),
    notFoundComponent: () => null,
    beforeLoad({ location }) {
      const target = resolvePath(location.pathname, table)
      if (!pageAt(location.pathname, table)) throw redirect({ to: target, replace: true })
    },
  })
  const routes = table.map((page) =>
    createRoute({
      getParentRoute: () => root,
      path: page.nested ? `${page.path}/$` : page.path,
      component: lazyRouteComponent(async () => ({ default: await page.load() })),
    }),
  )
  return createRouter({
    history,
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: Initializing,
    defaultErrorComponent: ({ error, reset }) => <ErrorPage error={asError(error)} retry={reset} />,
    trailingSlash: 'never',
    scrollRestoration: true,
  })
}

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))
