import { useEffect, useRef } from 'react'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { useShownPlace } from '../../../ui/router/use-router.ts'
import { usePart } from './edits.tsx'
import { firstOf } from './part.ts'
import { hostsPart } from './parts.ts'

/** Where messages may go although it is this machine, or a place that usually nobody means. */
export function HostsCard() {
  const { query, formOf, edit, problems } = usePart(hostsPart)
  const place = useShownPlace()
  const area = useRef<HTMLTextAreaElement>(null)
  const isLoaded = query.data !== undefined
  // messages about a host lead here
  useEffect(() => {
    if (!isLoaded || place?.hash !== '#allowed-hosts') return
    area.current?.focus({ preventScroll: true })
    area.current?.scrollIntoView({ block: 'center' })
  }, [place, isLoaded])
  return (
    <Panel
      title="Allowed hosts"
      description="Destinations on your own network can be used as they are. This machine and other special addresses are refused unless they are listed here."
    >
      <Loaded query={query} what="the allowed hosts">
        {(stored) => (
          <TextArea
            ref={area}
            code
            label="Hosts"
            rows={3}
            value={formOf(stored).allowedHosts}
            onChange={(allowedHosts) => edit({ allowedHosts })}
            error={firstOf(problems)}
            placeholder={'localhost:25\n127.0.0.1:8000'}
            hint="One per line, as a name or an address, with a port to allow no other. For example a mail relay or an Apprise API server on this machine."
          />
        )}
      </Loaded>
    </Panel>
  )
}
