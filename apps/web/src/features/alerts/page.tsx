import type { ReactNode } from 'react'
import { Queries } from '../../api/queries.tsx'
import { SectionFrame } from '../../parts/sections/section-frame.tsx'
import { Section as Contained } from '../../ui/error-screens.tsx'
import { LoadFailed, LoadingRows } from '../../ui/panel.tsx'
import { Navigate } from '../../ui/router/link.tsx'
import { useShownLocation } from '../../ui/router/use-router.ts'
import { Card } from '../../ui/card.tsx'
import { ConfigEditsProvider, useConfigEdits } from './config-edits.tsx'
import { DestinationEditsProvider } from './destinations/edits.tsx'
import { AcknowledgementProvider } from './overview/acknowledgement.tsx'
import { type Section, sectionAt, sections } from './sections.ts'
import { LeaveGuard, UnsavedBanner } from './unsaved.tsx'
import { SectionHead } from './section-head.tsx'
import { AskWhy } from './why/ask-why.tsx'

interface AlertsPageProps {
  table?: readonly Section[]
}

/** Frame of the alerts pages: navigation, banner and the selected section. */
export function AlertsPage({ table = sections }: AlertsPageProps) {
  return (
    <Queries>
      <ConfigEditsProvider>
        <DestinationEditsProvider>
          <AcknowledgementProvider>
            <AskWhy>
              <Frame table={table} />
            </AskWhy>
            <LeaveGuard />
          </AcknowledgementProvider>
        </DestinationEditsProvider>
      </ConfigEditsProvider>
    </Queries>
  )
}

const inactiveHint = 'Activate alerts to configure'

function Frame({ table }: Required<AlertsPageProps>) {
  // the location may already be another page's while this page unmounts
  const { path, search } = useShownLocation()!
  const { isActive } = useConfigEdits()
  const { section, address, isAsked } = sectionAt(path, isActive, table)
  // a redirect to the canonical path keeps the query string
  if (path !== address) return <Navigate to={isAsked ? address + search : address} />
  const { title, ownHead, component: Body } = section
  const head = <SectionHead section={section} />
  const loading = ownHead && head
  return (
    <SectionFrame
      name="Alerts"
      sidebar="rail"
      table={table}
      active={section}
      blocked={({ id }) => (isActive === false && id !== table[0]!.id ? inactiveHint : undefined)}
    >
      {!ownHead && head}
      <Contained key={section.id} name={title}>
        <UntilLoaded head={loading}>
          <Body section={section} />
        </UntilLoaded>
      </Contained>
      <UnsavedBanner section={section} />
    </SectionFrame>
  )
}

/** Every section needs the configuration, at least to know whether alerts are active. */
function UntilLoaded({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { config, error, reload } = useConfigEdits()
  if (config) return children
  return (
    <>
      {head}
      <Card>
        {error ? (
          <LoadFailed
            title="Alert configuration is unavailable"
            reason={error.message}
            onRetry={() => void reload()}
          />
        ) : (
          <LoadingRows label="Loading alert configuration" />
        )}
      </Card>
    </>
  )
}
