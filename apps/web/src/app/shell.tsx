import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { TokenReminder } from '../parts/token-reveal/token-reminder.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorPage } from '../ui/error-screens.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SectionNavigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { useRouteTable } from './route-table.ts'
import { pageAt } from './routes.ts'
import { Initializing } from './screens.tsx'
import { useServerTheme } from './theme.ts'
import { useShellEvents } from './use-shell-events.ts'
import { useVersion } from './use-version.ts'

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  useServerTheme()
  const version = useVersion()
  const path = useRouterState({ select: (state) => state.location.pathname })
  useShellEvents()
  useTitle(path)
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <Header version={version} />
      <main id="content" tabIndex={-1} className="frame w-full outline-none">
        <SectionNavigation />
        <Notices />
        <TokenReminder />
        <ErrorBoundary resetKey={path} renderFailure={(failure) => <ErrorPage {...failure} />}>
          <Suspense fallback={<Initializing />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <Footer version={version} />
    </div>
  )
}

function useTitle(path: string) {
  const table = useRouteTable()
  useEffect(() => {
    const page = pageAt(path, table)
    document.title = page ? `${page.label} · Pulse` : 'Pulse'
  }, [path, table])
}
