import { aSecurityStatus } from '@pulse/testkit'
import { act, render } from '@testing-library/react'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { QueryRoot } from '../api/query-root.tsx'
import { EditStoresProvider } from '../parts/sections/edit-stores.tsx'
import { SessionProvider, toSession } from '../api/session.tsx'
import { aLive } from '../live/fake-live.ts'
import { LiveProvider } from '../live/live.tsx'
import { createMemoryHistory } from '../ui/router/fake-history.ts'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { createAppRouter, Pages } from './router.tsx'
import type { Page } from './routes.ts'

interface Given {
  table: readonly Page[]
  path?: string
  live?: ReturnType<typeof aLive>
  api?: Partial<Api>
  status?: ReturnType<typeof aSecurityStatus>
}

/** A server that knows of nothing. */
const silent: Partial<Api> = { call: (async () => ({})) as Api['call'] }

/** The frame with its pages, for somebody who is in. */
export async function showPages({
  table,
  path = '/',
  live = aLive(),
  api = silent,
  status = aSecurityStatus(),
}: Given) {
  const router = createAppRouter(table, createMemoryHistory({ initialEntries: [path] }))
  await act(async () => {
    render(
      <ApiProvider api={api as Api}>
        <LiveProvider live={live}>
          <SessionProvider session={toSession(status, async () => {})}>
            <EditStoresProvider>
              <QueryRoot>
                <Pages router={router} />
              </QueryRoot>
            </EditStoresProvider>
          </SessionProvider>
          <TooltipLayer />
        </LiveProvider>
      </ApiProvider>,
    )
    await router.load()
  })
  return router
}
