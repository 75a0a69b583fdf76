import { Queries } from '../../api/queries.tsx'
import { Section as Contained } from '../../ui/error-screens.tsx'
import { Navigate } from '../../ui/router/link.tsx'
import { useShownPlace } from '../../ui/router/use-router.ts'
import { type Section, sectionAt, sections } from './sections.ts'
import { Sidebar } from './sidebar.tsx'
import { SystemEditsProvider } from './system/system-edits.tsx'
import { SettingsTabs } from './tab-strip.tsx'
import { LeaveGuard, SectionHeader, UnsavedBanner } from './unsaved.tsx'

interface SettingsPageProps {
  table?: readonly Section[]
}

/** The frame of the settings; the sections do the rest. */
export function SettingsPage({ table = sections }: SettingsPageProps) {
  return (
    <Queries>
      <SystemEditsProvider>
        <Frame table={table} />
        <LeaveGuard />
      </SystemEditsProvider>
    </Queries>
  )
}

function Frame({ table }: Required<SettingsPageProps>) {
  // not the location: that is another page's already while this one is on its way out
  const { path, search } = useShownPlace()!
  const params = new URLSearchParams(search)
  const tab = params.get('tab')
  const section = sectionAt(path, tab, table)
  const { path: address, title, component: Body } = section
  if (path !== address) {
    const asked = path.split('/')[2] || tab
    params.delete('tab')
    // another spelling of a page keeps its question
    const keeps = params.size > 0 && (!asked || asked === section.id)
    return <Navigate to={keeps ? `${address}?${params.toString()}` : address} />
  }
  return (
    <div className="flex flex-col gap-3 py-3 lg:flex-row lg:items-start lg:gap-6">
      <Sidebar table={table} active={section} />
      <SettingsTabs table={table} active={section} />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <SectionHeader section={section} />
        <UnsavedBanner section={section} />
        <Contained key={section.id} name={title}>
          <Body />
        </Contained>
      </div>
    </div>
  )
}
