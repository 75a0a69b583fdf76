import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import type { RunningLive } from '../live/create-live.ts'
import { LiveProvider } from '../live/live.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { AppLoadError } from '../ui/error-screens.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import type { createAppRouter } from './router.tsx'
import { LoadingScreen, NotAdmitted } from './screens.tsx'
import { decideStartup, type Startup, type StartupSteps } from './startup.ts'
import { useAppliedTheme } from './theme.ts'

export interface AppProps {
  api: Api
  live: RunningLive
  router: ReturnType<typeof createAppRouter>
  startupSteps: StartupSteps
}

/** Decides who may enter, then opens the live connection and shows the pages. */
export function App(props: AppProps) {
  return (
    <ErrorBoundary renderFailure={({ error }) => <AppLoadError error={error} />}>
      <Entry {...props} />
      <TooltipLayer />
      <Toasts />
    </ErrorBoundary>
  )
}

function Entry({ api, live, router, startupSteps }: AppProps) {
  const startup = useStartup(startupSteps)
  const inside = startup?.screen === 'app'
  useAppliedTheme()

  useEffect(() => {
    if (!inside) return
    live.start()
    return () => live.stop()
  }, [inside, live])

  if (!startup) return <LoadingScreen />
  if (!inside) return <NotAdmitted />
  return (
    <ApiProvider api={api}>
      <LiveProvider live={live}>
        <RouterProvider router={router} />
      </LiveProvider>
    </ApiProvider>
  )
}

function useStartup(steps: StartupSteps): Startup | undefined {
  const [startup, setStartup] = useState<Startup>()
  useEffect(() => {
    let wanted = true
    const decide = async () => {
      const decided = await decideStartup(steps)
      if (wanted) setStartup(decided)
    }
    void decide()
    return () => {
      wanted = false
    }
  }, [steps])
  return startup
}
