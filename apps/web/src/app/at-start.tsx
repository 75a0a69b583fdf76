import { getAlertConfig, type VersionInfo } from '@pulse/contract'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../api/api.tsx'
import { useQueryHolder } from '../api/query-root.tsx'
import { log } from '../lib/log.ts'
import { useConnection, useLiveEvent, useReconnected } from '../live/use-live.ts'
import { usePath } from '../ui/router/use-router.ts'
import { PopoverParts } from '../ui/popover.tsx'
import { Toaster } from '../ui/toasts.tsx'
import { TooltipBubble } from '../ui/tooltip-layer.tsx'
import { Banners } from './banners/banners.tsx'

interface AtStartProps {
  version: VersionInfo | undefined
  onUpdate: (isAvailable: boolean) => void
}

/**
 * The parts that every page needs in addition to its content. Their calls wait for the first data, so as not
 * to delay it.
 */
export default function AtStart({ version, onUpdate }: AtStartProps) {
  const path = usePath()
  // the alerts pages load this configuration themselves
  const [beginsAtAlerts] = useState(() => path.startsWith('/alerts'))
  const hasData = useHasData()
  useEffect(() => {
    if (!hasData) return
    // often needed while the server is unreachable
    for (const part of [Toaster, TooltipBubble, PopoverParts]) void part.preload()
  }, [hasData])
  return (
    <>
      <Banners version={version} hasData={hasData} onUpdate={onUpdate} />
      {hasData && !beginsAtAlerts && <AlertConfig />}
    </>
  )
}

/** True from the first snapshot on, even while the connection is lost. */
function useHasData(): boolean {
  const isThere = useConnection(({ initialDataReceived }) => initialDataReceived)
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)
  return wasThere
}

/** Loads the alert configuration for the alerts pages, and invalidates it on changes. */
function AlertConfig() {
  const api = useApi()
  const holder = useQueryHolder()
  const changes = useRef(0)
  useEffect(() => {
    const before = changes.current
    api.call(getAlertConfig, { query: { keys: 'stable' } }).then(
      // a change in the meantime makes the answer outdated
      (config) => before === changes.current && holder.setAnswer(getAlertConfig.path, config),
      (error: unknown) => log.warn('The alert configuration could not be loaded', error),
    )
  }, [api, holder])
  const invalidate = () => {
    changes.current += 1
    holder.invalidate(getAlertConfig.path)
  }
  useLiveEvent('alertConfigChanged', invalidate)
  useReconnected(invalidate)
  return null
}
