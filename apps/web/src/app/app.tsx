import { useEffect, useState } from 'react'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { QueryRoot } from '../api/query-root.tsx'
import { SessionProvider } from '../api/session.tsx'
import type { RunningLive } from '../live/create-live.ts'
import { LiveProvider } from '../live/live.tsx'
import { EditStoresProvider } from '../parts/sections/edit-stores.tsx'
import { lazyPart } from '../ui/code/lazy-part.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { AppLoadError, ErrorPage } from '../ui/error-screens.tsx'
import { RestoreFocus } from '../ui/restore-focus.ts'
import { Toasts } from '../ui/toasts.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { type AppRouter, Pages } from './router.tsx'
import { EntryScreen, LoadingScreen } from './screens.tsx'
import type { Startup, StartupSteps } from './startup.ts'
import { useAppliedTheme } from './theme.tsx'
import { useEntry } from './use-entry.ts'

export interface AppProps {
  api: Api
  live: RunningLive
  router: AppRouter
  startupSteps: StartupSteps
  /** the decision from before the first render; without it the component decides */
  startup?: Startup | undefined
}

const LoginPage = lazyPart(
  'Sign in',
  async () => ({ default: (await import('../features/login/page.tsx')).LoginPage }),
  {
    fallback: () => <output className="delayed text-table text-ink-2">Loading...</output>,
    renderFailure: (failure) => <ErrorPage {...failure} />,
  },
)

/** Shows the login, or opens the live connection and shows the pages. */
export function App(props: AppProps) {
  return (
    <ErrorBoundary renderFailure={({ error }) => <AppLoadError error={error} />}>
      <ApiProvider api={props.api}>
        <EditStoresProvider>
          <Entry {...props} />
        </EditStoresProvider>
      </ApiProvider>
      <TooltipLayer />
      <RestoreFocus />
      <Toasts />
    </ErrorBoundary>
  )
}

function Entry({ api, live, router, startupSteps, startup: known }: AppProps) {
  const { startup, session, enter } = useEntry(api, live.connection, startupSteps, known)
  const signInReturn = useSignInReturn()
  const inside = startup?.screen === 'app'
  useAppliedTheme()

  useEffect(() => {
    if (!inside) return
    live.start()
    return () => live.stop()
  }, [inside, live])

  if (!startup) {
    const returned = signInReturn?.outcome === 'success'
    return <LoadingScreen {...(returned && { text: 'Signed in successfully. Loading Pulse…' })} />
  }
  if (startup.screen === 'login') {
    return (
      <EntryScreen>
        <LoginPage
          status={startup.status}
          ended={startup.reason === 'ended'}
          returned={signInReturn}
          onSignedIn={enter}
        />
      </EntryScreen>
    )
  }
  return (
    <SessionProvider session={session}>
      <LiveProvider live={live}>
        <QueryRoot>
          <Pages router={router} />
        </QueryRoot>
      </LiveProvider>
    </SessionProvider>
  )
}

function useSignInReturn() {
  const [returned] = useState(() => readSignInReturn(window.location.search))
  useEffect(() => {
    if (returned) history.replaceState(history.state, '', withoutSignInReturn(window.location))
  }, [returned])
  return returned
}

/** Parameters that single sign-on adds to the address when it redirects back. */
interface SignInReturn {
  outcome: 'success' | 'error'
  /** error code */
  code: string
}

function readSignInReturn(search: string): SignInReturn | undefined {
  const query = new URLSearchParams(search)
  const outcome = query.get('oidc')
  const code = query.get('oidc_error') ?? ''
  if (outcome === 'success') return { outcome, code: '' }
  return outcome === 'error' || code ? { outcome: 'error', code } : undefined
}

/** The address without these parameters. */
function withoutSignInReturn({ pathname, search, hash }: Location): string {
  const query = new URLSearchParams(search)
  query.delete('oidc')
  query.delete('oidc_error')
  return `${pathname}${query.size ? `?${query}` : ''}${hash}`
}
