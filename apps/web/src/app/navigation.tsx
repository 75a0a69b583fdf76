import { useEffect, useRef, useState, createContext, useContext } from 'react'
import {
  markPlatformSeen,
  readPreference,
  usePlatformsSeen,
  usePreference,
  writePreference,
} from '../lib/storage.ts'
import { CountBadge } from '../ui/badge.tsx'
import { useSession } from '../api/session.tsx'
import type { LiveReader } from '../live/store.ts'
import { useConnection, useLive } from '../live/use-live.ts'
import { cx } from '../ui/cx.ts'
import { Link } from '../ui/router/link.tsx'
import { usePath } from '../ui/router/use-router.ts'
import { StatusDot } from '../ui/status-dot.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { LostSources } from './connection-indicator.tsx'
import { type Page, pages } from './routes.ts'
import {
  activeArea,
  type AlertCounts,
  countAlerts,
  type PlatformTab,
  platformTabs,
  sectionPages,
  type SideTab,
  sideTabs,
} from './tabs.ts'

const tabClass = (active: boolean, dimmed = false) =>
  cx(
    'tab relative inline-flex h-10 items-center gap-1.5 px-2.5 text-table font-medium whitespace-nowrap lg:h-12',
    'after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 after:rounded-full',
    active ? 'text-ink after:bg-accent' : dimmed ? 'text-ink-3' : 'text-ink-2 hover:text-ink',
  )

export function Navigation({ updateAvailable }: { updateAvailable: boolean }) {
  const area = activeArea(usePath())
  const table = useRouteTable()
  const platforms = usePlatformTabs(table)
  const side = sideTabs(table, useAlertCounts(), updateAvailable)
  return (
    <nav aria-label="Main" className="-mx-2.5 flex items-center overflow-x-auto lg:mx-0">
      {platforms.map((tab) => (
        <PrimaryTab key={tab.id} tab={tab} active={tab.id === area} />
      ))}
      <span className="flex-1" />
      <LostSources />
      {side.map((tab) => (
        <RightTab key={tab.id} tab={tab} active={tab.id === area} />
      ))}
    </nav>
  )
}

function PrimaryTab({ tab, active }: { tab: PlatformTab; active: boolean }) {
  return (
    <span className="inline-flex items-center">
      <Tooltip content={tab.tooltip}>
        <Link
          to={tab.to}
          className={tabClass(active, !tab.enabled && tab.tooltip !== undefined)}
          {...(active && { 'aria-current': 'page' as const })}
        >
          {tab.label}
        </Link>
      </Tooltip>
      {tab.addHost && (
        <Link
          to={tab.settingsRoute}
          aria-label={`Add host: ${tab.label}`}
          className="mr-2 text-xs font-medium whitespace-nowrap text-accent hover:underline"
        >
          Add host
        </Link>
      )}
    </span>
  )
}

function RightTab({ tab, active }: { tab: SideTab; active: boolean }) {
  return (
    <Link to={tab.to} className={tabClass(active)} {...(active && { 'aria-current': 'page' as const })}>
      {tab.label}
      {tab.id === 'alerts' ? (
        <AlertBadges {...tab.badges} />
      ) : (
        <span className="inline-flex w-2">
          {tab.dot && <StatusDot tone="accent" label="Update available" />}
        </span>
      )}
    </Link>
  )
}

/** Reserves space for both badges if this browser has shown alerts before. */
function AlertBadges({ critical, warning }: AlertCounts) {
  const [seen, setSeen] = usePreference('alertsSeen')
  const isThere = critical + warning > 0
  useEffect(() => {
    if (isThere) setSeen('true')
  }, [isThere, setSeen])
  return (
    <span className={cx('inline-flex gap-1.5', seen === 'true' && 'min-w-[3.625rem]')}>
      <CountBadge count={critical} label="critical alerts" tone="red" />
      <CountBadge count={warning} label="warning alerts" tone="yellow" />
    </span>
  )
}

/** The pages of the open area. */
export function SectionNavigation() {
  const path = usePath()
  const area = activeArea(path)
  const listed = useListed(sectionPages(useRouteTable(), area), path)
  if (area !== 'proxmox') return null
  return (
    <nav aria-label="Proxmox" className="flex items-center gap-1 overflow-x-auto pt-3">
      {listed.map((page) => (
        <SectionLink key={page.path} page={page} isOpen={path === page.path} />
      ))}
    </nav>
  )
}

/** Scrolls into view when its page opens: a phone has no room for all of them. */
function SectionLink({ page: { path, label }, isOpen }: { page: Page; isOpen: boolean }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOpen])
  return (
    <Link
      ref={link}
      to={path}
      className={cx(
        'inline-flex h-7 items-center rounded-md px-2.5 text-xs font-medium whitespace-nowrap',
        isOpen ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
      {...(isOpen && { 'aria-current': 'page' as const })}
    >
      {label}
    </Link>
  )
}

/** Before the first snapshot, this browser's last known value counts. */
const isDue = ({ listedWhile }: Page, live: LiveReader, isKnown: boolean) =>
  !listedWhile ||
  (isKnown
    ? listedWhile.holds(live)
    : listedWhile.seen !== undefined && readPreference(listedWhile.seen) === 'true')

/** Omits pages without permission or data, except for the open page. */
function useListed(pages: readonly Page[], path: string): readonly Page[] {
  const { isAdmin } = useSession()
  const kinds = [...new Set(pages.flatMap(({ listedWhile }) => listedWhile?.kinds ?? []))]
  const isKnown = useOnce(useConnection(({ initialDataReceived }) => initialDataReceived))
  const paths = useLive(kinds, (live) =>
    pages
      .filter((page) => page.path === path || ((isAdmin || !page.adminTo) && isDue(page, live, isKnown)))
      .map((page) => page.path)
      .join(),
  )
  const isThere = useLive(kinds, (live) =>
    pages
      .filter(({ listedWhile }) => listedWhile?.holds(live))
      .map((page) => page.path)
      .join(),
  )
  useEffect(() => {
    if (!isKnown) return
    for (const { path: at, listedWhile } of pages) {
      if (!listedWhile?.seen) continue
      writePreference(listedWhile.seen, isThere.split(',').includes(at) ? 'true' : undefined)
    }
  }, [isKnown, isThere, pages])
  return pages.filter((page) => paths.split(',').includes(page.path))
}

/** Stays true after the first time. */
function useOnce(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return is || was
}

/** The primary tabs. Also stores which platforms had data. */
function usePlatformTabs(table: readonly Page[]): PlatformTab[] {
  const proxmox = useLive(['nodes', 'guests'], (s) => s.records('nodes').size + s.records('guests').size > 0)
  const docker = useLive(['dockerHosts'], (s) => s.records('dockerHosts').size > 0)
  const known = useConnection((connection) => connection.initialDataReceived)
  const seen = usePlatformsSeen()

  useEffect(() => {
    if (proxmox) markPlatformSeen('proxmox')
  }, [proxmox])
  useEffect(() => {
    if (docker) markPlatformSeen('docker')
  }, [docker])

  return platformTabs(
    table,
    { proxmox: proxmox || withoutData(known), docker: docker || withoutData(known) },
    seen,
  )
}

/** Before the first snapshot it is unknown whether there are records. */
const withoutData = (known: boolean) => (known ? false : undefined)

function useAlertCounts(): AlertCounts {
  return useLive(
    ['activeAlerts'],
    (s) => countAlerts(s.records('activeAlerts').values()),
    (a, b) => a.critical === b.critical && a.warning === b.warning,
  )
}

/** The pages of the router. Navigation lists only these. */
export const RouteTableContext = createContext<readonly Page[]>(pages)

export const useRouteTable = () => useContext(RouteTableContext)
