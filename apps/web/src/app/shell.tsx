import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useReconnected } from '../live/use-live.ts'
import { TokenReminder } from '../parts/token-reveal/token-reminder.tsx'
import { lazyPart, retryMissingCode } from '../ui/code/lazy-part.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorPage } from '../ui/error-screens.tsx'
import { usePath, useShownPlace } from '../ui/router/use-router.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SectionNavigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { useRouteTable } from './route-table.ts'
import { Permitted } from './permitted.tsx'
import { pageAt } from './routes.ts'
import { useServerTheme } from './theme.ts'
import { useShellEvents } from './use-shell-events.ts'
import { useVersion } from './use-version.ts'

const AtStart = lazyPart('Banners', () => import('./at-start.tsx'), { renderFailure: () => null })

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  useServerTheme()
  const version = useVersion()
  const path = usePath()
  const shown = useShownPlace()?.path
  const table = useRouteTable()
  const main = useRef<HTMLElement>(null)
  const announced = usePageChange(main)
  const [updateFound, setUpdateFound] = useState(false)
  useShellEvents()
  useReconnected(retryMissingCode)
  useTitle(path)
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <Header version={version} updateAvailable={updateFound || version?.updateAvailable === true} />
      <output aria-label="Page" className="sr-only">
        {announced}
      </output>
      <main ref={main} id="content" tabIndex={-1} className="frame w-full outline-none">
        <SectionNavigation />
        <AtStart version={version} onUpdate={setUpdateFound} />
        <Notices />
        <TokenReminder />
        <ErrorBoundary resetKey={shown} renderFailure={(failure) => <ErrorPage {...failure} />}>
          <Permitted page={shown === undefined ? undefined : pageAt(shown, table)}>{children}</Permitted>
        </ErrorBoundary>
      </main>
      <Footer version={version} />
    </div>
  )
}

/**
 * A page that comes in place of another gets the focus, as a page that was loaded would, and is announced by its
 * heading.
 */
function usePageChange(main: RefObject<HTMLElement | null>): string {
  const table = useRouteTable()
  const shown = useShownPlace()?.path
  const before = useRef<string>(undefined)
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    if (shown === undefined || shown === before.current) return
    const isFirst = before.current === undefined
    before.current = shown
    if (isFirst) return
    main.current?.focus({ preventScroll: true })
    const heading = main.current?.querySelector('h1')?.textContent
    setAnnounced(heading || (pageAt(shown, table)?.label ?? ''))
  }, [shown, main, table])
  return announced
}

function useTitle(path: string) {
  const table = useRouteTable()
  useEffect(() => {
    const page = pageAt(path, table)
    document.title = page ? `${page.label} · Pulse` : 'Pulse'
  }, [path, table])
}
