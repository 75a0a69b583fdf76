import { Settings } from 'lucide-react'
import { useDeferredValue, useRef } from 'react'
import { useIds } from '../../../live/use-live.ts'
import { PageKeys } from '../../../parts/keys/page-keys.tsx'
import type { KeyHint } from '../../../parts/keys/table-keys.ts'
import { SearchBox } from '../../../parts/search/search-box.tsx'
import { SiteTips } from '../../../parts/search/site-tips.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Link } from '../../../ui/router/link.tsx'
import { useAddressText } from '../../../ui/router/use-address-text.ts'
import { useShownLocation } from '../../../ui/router/use-router.ts'
import { SideScroll } from '../../../ui/side-scroll.tsx'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { useConfig } from '../config-edits.tsx'
import { AgeTable } from './age-table.tsx'
import { EditingProvider } from './editing.tsx'
import { countOverrides } from './absent.ts'
import { IgnoredPrefixes } from './ignored-prefixes.tsx'
import { QuickTips, ShowTips, useQuickTips } from './quick-tips.tsx'
import { Summary } from './summary.tsx'
import { SwitchLine } from './switch-line.tsx'
import { type TabId, tableOf, tabs } from './tables.ts'
import { ThresholdTable } from './threshold-table.tsx'
import { useUnanswered } from './unanswered.ts'
import { UnmatchedOverrides } from './unmatched-overrides.tsx'
import { GuestLinksProvider } from './web-urls.tsx'

/** Alert thresholds, global and per resource. */
export default function ThresholdsSection() {
  return (
    <AdminOnly to="to change thresholds">
      <EditingProvider>
        <GuestLinksProvider>
          <Thresholds />
        </GuestLinksProvider>
      </EditingProvider>
    </AdminOnly>
  )
}

function Thresholds() {
  const { path, search: query } = useShownLocation()!
  const tab = tabs.find(({ id }) => path.endsWith(`/${id}`))?.id ?? tabs[0].id
  const [search, setSearch] = useAddressText('search')
  const deferred = useDeferredValue(search)
  const input = useRef<HTMLInputElement>(null)
  const tips = useQuickTips()
  const Tab = contents[tab]
  return (
    <>
      <PageKeys
        keys={thresholdKeys}
        focusSearch={() => input.current?.focus()}
        onEscape={() => setSearch('')}
      />
      <TabLinks tab={tab} query={query} />
      <QuickTips tips={tips} />
      <div className="flex items-center gap-2">
        <SearchBox
          label="Search resources"
          placeholder="Search resources by name, node or ID"
          value={search}
          onChange={setSearch}
          history="thresholds"
          inputRef={input}
          tips={
            <SiteTips intro="Type any part of a name, node or ID. All words must match." things="resources" />
          }
        />
        <ShowTips tips={tips} />
      </div>
      <Summary tab={tab} />
      <Tab search={deferred} />
      <UnmatchedOverrides search={deferred} />
    </>
  )
}

/** Tabs keep the search. */
function TabLinks({ tab, query }: { tab: TabId; query: string }) {
  return (
    <nav aria-label="Thresholds">
      <SideScroll>
        <ul className="flex w-max min-w-full gap-1 border-b border-line">
          {tabs.map(({ id, label }) => (
            <li key={id} className="flex">
              <Link
                to={`/alerts/thresholds/${id}${query}`}
                className={cx(
                  'inline-flex h-9 items-center border-b-2 px-3 text-table font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
                  id === tab ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
                )}
                {...(id === tab && { 'aria-current': 'page' as const })}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </SideScroll>
    </nav>
  )
}

interface TabProps {
  search: string
}

function ProxmoxTab({ search }: TabProps) {
  return (
    <>
      <ThresholdTable table={tableOf('nodes')} search={search} />
      <ThresholdTable table={tableOf('pbs')} search={search} />
      <ThresholdTable table={tableOf('guests')} search={search} />
      <AgeTable kind="backups" />
      <AgeTable kind="snapshots" />
      <ThresholdTable table={tableOf('storage')} search={search} />
      <ThresholdTable table={tableOf('datastores')} search={search} />
      <DiskSwitches />
    </>
  )
}

function MailTab({ search }: TabProps) {
  const { config } = useConfig()
  const isUnanswered = useUnanswered('pmg').length > 0
  const isKnown = useIds('pmg').length > 0 || isUnanswered || countOverrides(config, 'pmg') > 0
  if (isKnown) return <ThresholdTable table={tableOf('pmg')} search={search} />
  return (
    <Card>
      <EmptyState
        title="No mail gateways configured yet. Add a PMG instance in Settings to manage thresholds."
        icon={<Settings size={24} />}
        action={
          <Link to="/settings/pmg" className={buttonClass('secondary')}>
            Open Settings
          </Link>
        }
      />
    </Card>
  )
}

function DockerTab({ search }: TabProps) {
  return (
    <>
      <IgnoredPrefixes />
      <ThresholdTable table={tableOf('dockerHosts')} search={search} />
      <ThresholdTable table={tableOf('dockerContainers')} search={search} />
    </>
  )
}

const contents: Record<TabId, typeof ProxmoxTab> = {
  proxmox: ProxmoxTab,
  'mail-gateway': MailTab,
  docker: DockerTab,
}

/** Alerts on the hardware below storage that have no thresholds. */
const DiskSwitches = () => (
  <Card aria-label="Disks and Ceph">
    <header className="border-b border-line px-3 py-2">
      <h2 className="text-sm font-semibold">Disks and Ceph</h2>
    </header>
    <SwitchLine title="Physical disks" about="SMART health and wear" allOff="disableAllDisks" />
    <SwitchLine title="Ceph clusters" about="Cluster health" allOff="disableAllCeph" />
  </Card>
)

const thresholdKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['↑', '↓'], does: 'Previous or next row' },
  { keys: ['Tab'], does: 'To the values of a row, and on' },
  { keys: ['Enter'], does: 'Edit the value; keep what was typed' },
  { keys: ['Esc'], does: 'Leave the value as it was; clear the search' },
  { keys: ['Ctrl+S'], does: 'Save changes' },
  { keys: ['?'], does: 'Show this help' },
]
