import { aSecurityStatus } from '@pulse/testkit'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { QueryRoot } from '../api/query-root.tsx'
import { SessionProvider, toSession } from '../api/session.tsx'
import { aLive } from '../live/fake-live.ts'
import { MomentProvider } from '../lib/moment.tsx'
import { LiveProvider } from '../live/live.tsx'
import { aRouter } from '../ui/router/fake-history.ts'
import type { Router } from '../ui/router/router.ts'
import { RouterContext } from '../ui/router/use-router.ts'

type FakeLive = ReturnType<typeof aLive>

interface Options {
  live?: FakeLive
  /** replies by path, or functions of the options; other calls fail */
  replies?: Record<string, unknown>
  router?: Router
  /** of the past */
  moment?: number
}

const session = toSession(aSecurityStatus(), async () => {})

/** Renders with the providers of a page: a live state, a fake API, a session and a router. */
export async function renderInApp(
  children: ReactNode,
  { live = aLive(), replies = {}, router = aRouter(), moment }: Options = {},
) {
  const calls: string[] = []
  const api = {
    async call({ path }: { path: string }, options: unknown) {
      calls.push(path)
      if (!Object.hasOwn(replies, path)) throw new Error(`${path} is not answered`)
      const reply = replies[path]
      return typeof reply === 'function' ? (reply(options) as unknown) : reply
    },
  } as unknown as Api
  const page = (at: number | undefined) => (
    <RouterContext value={router}>
      <ApiProvider api={api}>
        <LiveProvider live={live}>
          <SessionProvider session={session}>
            <QueryRoot>
              <MomentProvider moment={at}>{children}</MomentProvider>
            </QueryRoot>
          </SessionProvider>
        </LiveProvider>
      </ApiProvider>
    </RouterContext>
  )
  const view = await act(async () => render(page(moment)))
  /** The time machine moves the page to another moment. */
  const moveTo = (at: number) => act(async () => view.rerender(page(at)))
  return { ...view, live, calls, moveTo }
}
