import { Queries } from '../../api/queries.tsx'
import { SectionFrame } from '../../parts/sections/section-frame.tsx'
import { Section as Contained } from '../../ui/error-screens.tsx'
import { Navigate } from '../../ui/router/link.tsx'
import { useShownLocation } from '../../ui/router/use-router.ts'
import type { Section } from './section.ts'
import { sectionAt, sections } from './sections.ts'
import { SystemEditsProvider } from './system/system-edits.tsx'
import { LeaveGuard, SectionHeader, UnsavedBanner } from './unsaved.tsx'

interface SettingsPageProps {
  table?: readonly Section[]
}

/** Frame of the settings: navigation and the selected section. */
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
  // the location may already be another page's while this page unmounts
  const { path, search } = useShownLocation()!
  const params = new URLSearchParams(search)
  const tab = params.get('tab')
  const section = sectionAt(path, tab, table)
  const { path: address, title, component: Body } = section
  if (path !== address) {
    const asked = path.split('/')[2] || tab
    params.delete('tab')
    // a redirect to the canonical path keeps the query string
    const keeps = params.size > 0 && (!asked || asked === section.id)
    return <Navigate to={keeps ? `${address}?${params.toString()}` : address} />
  }
  return (
    <SectionFrame name="Settings" sidebar="collapsible" table={table} active={section}>
      <SectionHeader section={section} />
      <UnsavedBanner section={section} />
      <Contained key={section.id} name={title}>
        <Body />
      </Contained>
    </SectionFrame>
  )
}
