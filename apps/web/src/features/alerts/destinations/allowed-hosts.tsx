import { getOutboundConfig, type OutboundConfig, putOutboundConfig } from '@pulse/contract'
import { useEffect, useRef } from 'react'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useShownLocation } from '../../../ui/router/use-router.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { usePart } from './edits.tsx'
import { abortable, firstOf, linesOf, type Part } from './part.ts'

interface HostsForm {
  allowedHosts: string
}

export const hostsPart: Part<OutboundConfig, HostsForm> = {
  id: getOutboundConfig.path,
  name: 'Allowed hosts',
  load: (api, signal) => api.call(getOutboundConfig, abortable(signal)),
  save: (api, { allowedHosts }) =>
    api.call(putOutboundConfig, { body: { allowedHosts: linesOf(allowedHosts) } }),
  toForm: ({ allowedHosts }) => ({ allowedHosts: allowedHosts.join('\n') }),
  problems: () => ({}),
}

/** Hosts that the outbound guard would otherwise refuse, such as this machine. */
export function HostsCard() {
  const { query, formOf, edit, problems } = usePart(hostsPart)
  const location = useShownLocation()
  const area = useRef<HTMLTextAreaElement>(null)
  const isLoaded = query.data !== undefined
  // error messages about a refused host link to this hash
  useEffect(() => {
    if (!isLoaded || location?.hash !== '#allowed-hosts') return
    area.current?.focus({ preventScroll: true })
    area.current?.scrollIntoView({ block: 'center' })
  }, [location, isLoaded])
  return (
    <Panel
      title="Allowed hosts"
      description="Destinations on your own network need no entry. This machine and other special addresses are refused unless listed here."
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
            hint="One host name or address per line; add a port to allow only that port. For example a mail relay or an Apprise API server on this machine."
          />
        )}
      </Loaded>
    </Panel>
  )
}
