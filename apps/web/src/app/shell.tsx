import { getVersion, META_ID, type Notice, type VersionInfo } from '@pulse/contract'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useApi } from '../api/api.tsx'
import { useSession } from '../api/session.tsx'
import { formatClock } from '../lib/format.ts'
import { load } from '../api/load.ts'
import { useConnection, useEntity, useLiveEvent, useReconnected } from '../live/use-live.ts'
import { NoRights } from '../parts/live-page/states.tsx'
import type { PastPage } from '../parts/time-machine/past.tsx'
import { TokenReminder } from './token-reminder.tsx'
import { Badge } from '../ui/badge.tsx'
import { lazyPart, retryMissingCode } from '../ui/code/lazy-part.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorPage } from '../ui/error-screens.tsx'
import { usePath, useShownLocation } from '../ui/router/use-router.ts'
import { toast } from '../ui/toast.ts'
import { ConnectionIndicator } from './connection-indicator.tsx'
import { HeaderUser } from './header-user.tsx'
import { LiveLogo } from './logo.tsx'
import { Navigation, SectionNavigation, useRouteTable } from './navigation.tsx'
import { PageOfThen, useAskedMoment } from './page-of-then.tsx'
import { type Page, pageAt } from './routes.ts'
import { TimeMachine, TimeMachineButton } from './time-machine.tsx'
import { ThemeToggle, takeTheme, useServerTheme } from './theme.tsx'
import { useLastAnswer } from './use-last-answer.ts'

const AtStart = lazyPart('Banners', () => import('./at-start.tsx'), { renderFailure: () => null })

/** The frame of every page. Header and notices show now, also above a page of the past. */
export function Shell({ children }: { children: ReactNode }) {
  useServerTheme()
  const version = useVersion()
  const path = usePath()
  const shown = useShownLocation()?.path
  const table = useRouteTable()
  const main = useRef<HTMLElement>(null)
  const announced = usePageChange(main)
  const [updateFound, setUpdateFound] = useState(false)
  const { at, isPossible } = useAskedMoment()
  const [past, setPast] = useState<PastPage>()
  const [isOpen, setOpen] = useState(false)
  const openedBy = useRef<HTMLButtonElement>(null)
  const isShown = isPossible && isOpen
  useShellEvents()
  useReconnected(retryMissingCode)
  useTitle(path)
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <Header version={version} updateAvailable={updateFound || version?.updateAvailable === true}>
        <TimeMachineButton
          ref={openedBy}
          isOpen={isShown}
          isPossible={isPossible}
          onToggle={() => setOpen(!isOpen)}
        />
      </Header>
      {(at !== undefined || isShown) && (
        <TimeMachine
          at={at}
          isOpen={isShown}
          openedBy={openedBy}
          onClose={() => setOpen(false)}
          onPast={setPast}
        />
      )}
      <output aria-label="Page" className="sr-only">
        {announced}
      </output>
      <main ref={main} id="content" tabIndex={-1} className="frame w-full outline-none">
        <SectionNavigation />
        <AtStart version={version} onUpdate={setUpdateFound} />
        <Notices />
        <TokenReminder />
        <PageOfThen isPast={at !== undefined} past={past}>
          <ErrorBoundary
            resetKey={`${shown} ${past?.moment}`}
            renderFailure={(failure) => <ErrorPage {...failure} />}
          >
            <Permitted page={shown === undefined ? undefined : pageAt(shown, table)}>{children}</Permitted>
          </ErrorBoundary>
        </PageOfThen>
      </main>
      <Footer version={version} isPast={at !== undefined} />
    </div>
  )
}

/** A page that replaces another gets the focus, as after a page load. Screen readers announce its heading. */
function usePageChange(main: RefObject<HTMLElement | null>): string {
  const table = useRouteTable()
  const shown = useShownLocation()?.path
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
    if (page?.isOfOneThing) return
    document.title = page ? `${page.label} · Pulse` : 'Pulse'
  }, [path, table])
}

/** Appears together with the first content, so that it does not jump. */
function Footer({ version, isPast }: { version: VersionInfo | undefined; isPast: boolean }) {
  const settled = useConnection(
    ({ status, initialDataReceived }) => initialDataReceived || !['connecting', 'connected'].includes(status),
  )
  return (
    <footer
      data-settled={settled}
      className="frame figures mt-auto flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-xs text-ink-3 data-[settled=false]:invisible"
    >
      <span>{version ? `Pulse ${versionText(version)}` : 'Pulse'}</span>
      {!isPast && <LastRefresh />}
    </footer>
  )
}

function versionText({ version, isDevelopment, isDocker }: VersionInfo): string {
  return [`v${version}`, isDevelopment && '(Development)', isDocker && '- Docker'].filter(Boolean).join(' ')
}

/**
 * Counts only answers of sources, because the server's other messages do not prove that the data is fresh.
 * The attribute has the same time for measurements.
 */
function LastRefresh() {
  const newest = useLastAnswer()
  return (
    <span data-last-answer={newest}>
      {newest === undefined ? '' : `Last refresh: ${formatClock(newest)}`}
    </span>
  )
}

interface HeaderProps {
  version: VersionInfo | undefined
  updateAvailable: boolean
  /** next to the connection */
  children: ReactNode
}

/**
 * The name reserves space for the badge, so that nothing moves when the version arrives. One line; on narrow
 * screens the tabs get a second one.
 */
function Header({ version, updateAvailable, children }: HeaderProps) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="frame flex flex-wrap items-center gap-x-1 lg:h-12 lg:flex-nowrap lg:gap-x-3">
        <div className="flex h-12 min-w-28 sm:min-w-[7.5rem] items-center gap-2">
          <LiveLogo />
          <span className="text-base font-semibold tracking-tight">Pulse</span>
          {version?.channel === 'rc' && <Badge tone="orange">RC</Badge>}
        </div>
        <div className="order-last w-full min-w-0 lg:order-none lg:ml-3 lg:w-auto lg:flex-1">
          <Navigation updateAvailable={updateAvailable} />
        </div>
        <div className="ml-auto flex min-w-0 items-center gap-1 sm:gap-2">
          <ConnectionIndicator />
          {children}
          <HeaderUser />
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}

const none: readonly Notice[] = []

/** Notices of the server for administrators, such as a damaged database. */
function Notices() {
  const notices = useEntity('meta', META_ID)?.notices ?? none
  const { status } = useSession()
  // demo mode has its own banner
  if (notices.length === 0 || status.demo) return null
  return (
    <ul aria-label="Notices" className="my-3 flex flex-col gap-2">
      {notices.map(({ id, level, message }) => (
        <li
          key={id}
          data-level={level}
          className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink-2"
        >
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-orange" />
          <span className="min-w-0 break-words">{message}</span>
        </li>
      ))}
    </ul>
  )
}

/** On a page for administrators, other users get the reason instead. The server enforces the permission. */
function Permitted({ page, children }: { page: Page | undefined; children: ReactNode }) {
  const { isAdmin } = useSession()
  if (isAdmin || page?.adminTo === undefined) return children
  return (
    <div className="py-3">
      <h1 className="sr-only">{page.label}</h1>
      <NoRights to={page.adminTo} />
    </div>
  )
}

const autoRegisteredMs = 8_000

/** Handles live events on every page. */
function useShellEvents(): void {
  useLiveEvent('node_auto_registered', ({ data }) => {
    const host = data.name || data.host
    toast.success(
      `node "${host}" was successfully auto-registered and is now being monitored!`,
      autoRegisteredMs,
    )
  })
  useLiveEvent('settingsUpdate', ({ data }) => {
    if (data.theme !== undefined) takeTheme(data.theme)
  })
}

/**
 * The server's version, loaded again after each reconnect; undefined until known. A failure is only logged.
 */
export function useVersion(): VersionInfo | undefined {
  const api = useApi()
  const [version, setVersion] = useState<VersionInfo>()
  const abort = useRef<() => void>(undefined)
  const loadVersion = useCallback(() => {
    abort.current?.()
    abort.current = load(
      (signal) => api.call(getVersion, { signal }),
      setVersion,
      'The version could not be loaded',
    )
  }, [api])
  useEffect(() => {
    loadVersion()
    return () => abort.current?.()
  }, [loadVersion])
  useReconnected(loadVersion)
  return version
}
